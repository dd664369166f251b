package poot.clients;

import java.net.URI;

/**
 * Where the clients find the models of a run.
 *
 * @param chat      a model that chats and calls tools
 * @param embedding a model that embeds
 */
record Servers(Model chat, Model embedding) {
    /** A model behind an address. */
    record Model(URI base, String id) {
        /** The address clients are given, {@code …/v1}. */
        String v1() {
            return base + "/v1";
        }
    }
}
