/**
 * Clients of other people, unmodified, against a running server. In order: {@code TestServers} starts the servers of a run,
 * {@code Servers} says where they are; each client is a set of {@code Features}, checks by name; {@code ClientsTest} runs
 * them and holds docs/clients.md, the table of what works, to what it saw. A client that cannot be had is a named skip.
 */
package poot.clients;
