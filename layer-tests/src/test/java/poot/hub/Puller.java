package poot.hub;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import poot.core.hub.HubOptions;
import poot.core.hub.HubProxies;
import poot.core.hub.ModelReference;
import poot.core.hub.Models;
import poot.core.hub.PullListener;

/** A process that pulls: ENDPOINT CACHE REFERENCE. */
final class Puller {
    private Puller() {}

    public static void main(String[] args) throws Exception {
        HubOptions options = new HubOptions(URI.create(args[0]), Optional.empty(), false, Path.of(args[1]), Optional.empty(), HubProxies.JAVA, 4,
                HubTest.SEGMENT, Duration.ofSeconds(20), Duration.ofMillis(50), 4);
        System.out.println(Models.of(options).path(ModelReference.parse(args[2]), PullListener.NONE));
    }
}
