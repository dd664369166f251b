/** The model families poot ships, the components they share, and their registry. */
module poot.families {
    requires transitive poot.api;
}
