/** The poot command. */
module poot.serve {
    requires transitive poot.api;
    requires transitive poot.core;
    requires poot.families;
    requires info.picocli;
    requires java.net.http;
    requires jdk.incubator.vector;
    requires tools.jackson.databind;

    opens poot.serve.command to info.picocli;
    opens poot.serve.bench to tools.jackson.databind;
    opens poot.serve.load to tools.jackson.databind;
}
