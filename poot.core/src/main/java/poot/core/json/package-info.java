/**
 * JSON documents as trees of plain values or one token after the other, read within stated limits.
 *
 * <p>{@link poot.core.json.JsonLimits} bounds a document before it is read; {@link poot.core.json.JsonReader} hands out
 * its tokens, for what is too large for a tree; {@link poot.core.json.Json} reads it into {@code Map<String, Object>},
 * {@code List<Object>}, {@code String}, {@code Long}, {@code Double}, {@code Boolean} and {@code null}. What the values
 * mean belongs to whoever asked.
 */
package poot.core.json;
