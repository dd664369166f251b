/**
 * The HTTP server as clients see it: each endpoint, each error, hostile requests, slow and vanished clients, over real
 * sockets. In: the shipped model, fixtures, shared encoders. Not here: what the engine does.
 */
package poot.serving;
