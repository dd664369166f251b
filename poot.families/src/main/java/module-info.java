/** The model families poot ships, the components they share, and their registry. */
module poot.families {
    requires transitive poot.api;

    exports poot.families;
    exports poot.families.components;
    exports poot.families.standard;
}
