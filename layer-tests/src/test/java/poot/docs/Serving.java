package poot.docs;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpService;
import java.nio.file.Path;
import poot.serve.config.ServerOptions;
import poot.serve.http.PootServer;

/** Programs that serve a model, as the documentation of serving shows them. */
public final class Serving {
    private Serving() {}

    /** Serves a model on a port of its own until the program is told to stop; {@code args} are the model and the port. */
    static PootServer serve(String[] args) throws Exception {
        PootServer server = PootServer.builder()
                .model(Path.of(args[0]))
                .options(ServerOptions.DEFAULT.withAddress("0.0.0.0", Integer.parseInt(args[1])))
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(server::close));
        System.out.println("listening at " + server.url().orElseThrow());
        return server;
    }

    /** Adds a prepared server's routes under /ai of a Helidon server that serves other things too. */
    static WebServer mount(PootServer poot) {
        return WebServer.builder()
                .port(0)
                .routing(r -> r.get("/", (request, response) -> response.send("an application"))
                        .register("/ai", poot.routing(HttpService.class)))
                .build().start();
    }
}
