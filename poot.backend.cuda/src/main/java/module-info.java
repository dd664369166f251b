/** The cuda executor. */
module poot.backend.cuda {
    requires transitive poot.api;
}
