/** The poot command, and the server as a module to embed. */
module poot.serve {
    requires transitive poot.api;
    requires transitive poot.core;
    requires poot.families;
    requires info.picocli;
    requires io.helidon.common.buffers;
    requires io.helidon.common.concurrency.limits;
    requires io.helidon.common.socket;
    requires io.helidon.common.tls;
    requires io.helidon.http;
    requires io.helidon.webserver;
    requires java.logging;
    requires java.management;
    requires java.net.http;
    requires jdk.incubator.vector;
    requires tools.jackson.core;
    requires tools.jackson.databind;

    exports poot.serve.config;
    exports poot.serve.http;

    opens poot.serve.command to info.picocli;
    opens poot.serve.bench to tools.jackson.databind;
    opens poot.serve.load to tools.jackson.databind;
}
