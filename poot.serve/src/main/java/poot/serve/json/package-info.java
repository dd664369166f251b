/**
 * JSON as the server reads and writes it: {@link poot.serve.json.JsonText} reads bytes strictly and within bounds into
 * a tree, and writes trees. In: bodies of requests. Out: trees, or {@link poot.serve.json.JsonTrouble}. Not here: what
 * a tree has to look like, which is {@code poot.serve.schema}.
 */
package poot.serve.json;
