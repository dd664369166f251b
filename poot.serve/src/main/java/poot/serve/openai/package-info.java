/**
 * The OpenAI dialect without HTTP: what each request may say (the {@code *Fields} classes, declared with
 * {@code poot.serve.schema}), how it becomes calls of the engine, and how what comes back becomes the objects and
 * stream events of the answer. In: checked bodies. Out: trees of JSON. Not here: sockets, headers, status lines.
 */
package poot.serve.openai;
