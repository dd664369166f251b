/** The Model, Executor and Driver SPIs of poot and the graph they exchange; depends on nothing but the platform. */
module poot.api {
    exports poot.api.graph;
    exports poot.api.model;
    exports poot.api.executor;
    exports poot.api.driver;
}
