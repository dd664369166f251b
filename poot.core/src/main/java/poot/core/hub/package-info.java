/**
 * Models by name: a reference to a repository of the Hugging Face hub becomes files in a cache that all of a user's
 * processes share.
 *
 * <p>In data order: {@link poot.core.hub.ModelReference} parses what a person typed; {@link poot.core.hub.Models} looks in
 * the {@link poot.core.hub.ModelCache} and pulls what is not there: {@code Hub} asks which commit a revision is and what
 * files it has, {@code Chooser} picks those a model needs, {@code Transfer} fetches each over {@code HubHttp} in ranges
 * that survive a kill ({@code PartFile}) and checks its digest, and {@code RepoCache} publishes the whole model in one
 * move. {@link poot.core.hub.HubOptions} says where the hub, the token and the cache are.
 *
 * <p>In: a reference. Out: a path that {@code ModelHandle.load} takes, or a {@link poot.core.hub.HubException} whose
 * {@link poot.core.hub.HubFault} names the thing and the remedy. What a hub answers is hostile until checked: names, sizes,
 * counts and redirects are bounded, and no file is seen under its name before its digest agrees. Not here: what is in the
 * files (checkpoints).
 */
package poot.core.hub;
