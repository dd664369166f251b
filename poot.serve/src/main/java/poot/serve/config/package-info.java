/**
 * How a server is set up: {@link poot.serve.config.Setting} lists every setting once,
 * {@link poot.serve.config.Settings} resolves them (flag, environment, file, default),
 * {@link poot.serve.config.ServerOptions} and {@link poot.serve.config.ModelSetup} are what they come to. In: strings.
 * Out: typed options. Not here: what is done with them.
 */
package poot.serve.config;
