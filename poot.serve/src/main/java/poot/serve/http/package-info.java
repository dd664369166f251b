/**
 * Serving a model from a program: {@link poot.serve.http.PootServer} opens a port, or gives routes to an HTTP server
 * the program has. In: a checkpoint, a prepared driver, or an engine, and options. Out: the OpenAI interface. Not here:
 * what requests mean, and how they are read.
 */
package poot.serve.http;
