/** The poot command. */
module poot.serve {
    requires transitive poot.api;
    requires transitive poot.core;
    requires poot.families;
    requires info.picocli;

    opens poot.serve to info.picocli;
    uses poot.api.executor.ExecutorProvider;
}
