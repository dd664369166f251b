/**
 * What a request may say, declared once: a {@link poot.serve.schema.Shape} lists the fields of an object, each a
 * {@link poot.serve.schema.Field} with a {@link poot.serve.schema.Kind} and a {@link poot.serve.schema.Stance}
 * (honoured, accepted without effect, refused). The same declaration is read by {@link poot.serve.schema.Check}, which
 * refuses what does not conform, by {@link poot.serve.schema.JsonSchema} for {@code /openapi.json}, and by
 * {@link poot.serve.schema.FieldTable} for the documentation. Out: a {@link poot.serve.schema.Body} to read fields from.
 * Not here: the fields of any one request.
 */
package poot.serve.schema;
