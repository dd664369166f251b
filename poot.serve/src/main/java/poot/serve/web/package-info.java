/**
 * HTTP around the dialect: {@link poot.serve.web.ApiService} routes requests, {@link poot.serve.web.Exchange} takes one
 * from its headers to its answer, {@link poot.serve.web.Line} and {@link poot.serve.web.Lines} watch connections for
 * clients that are slow or gone, {@link poot.serve.web.Listener} opens a port. In: sockets. Out: calls of
 * {@code poot.serve.openai}. Not here: what requests mean.
 */
package poot.serve.web;
