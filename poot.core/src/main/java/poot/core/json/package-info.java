/**
 * JSON documents as trees of plain values, read within stated limits.
 *
 * <p>{@link poot.core.json.JsonLimits} bounds a document before it is read; {@link poot.core.json.Json} reads it into
 * {@code Map<String, Object>}, {@code List<Object>}, {@code String}, {@code Long}, {@code Double}, {@code Boolean} and
 * {@code null}. What the values mean belongs to whoever asked; the library that parses the text is named nowhere
 * outside this package.
 */
package poot.core.json;
