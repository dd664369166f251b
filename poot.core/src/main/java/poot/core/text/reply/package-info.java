/**
 * What a model's reply says, read out of its text as it streams: text for the user, reasoning, and calls of tools.
 *
 * <p>In data order: {@link poot.core.text.reply.ReplyFormat} finds out once how a model marks calls and reasoning, by
 * looking at what its chat template writes; {@link poot.core.text.reply.ReplyOptions} says what one request allows;
 * {@link poot.core.text.reply.ReplyParser} takes the reply's text piece by piece and hands out
 * {@link poot.core.text.reply.ReplyEvent}s. Inside, {@code Machine}s go through the text character by character, so
 * that how it was cut into pieces cannot matter: {@code MarkedReply} for replies with markers in running text, with a
 * {@code CallReader} for each spelling of a call, and {@code ChannelledReply} for replies made of messages with
 * headers. {@code Dialect} lists the spellings.
 *
 * <p>Four rules hold for every format. Nothing is lost: what is no event's text is a marker, the frame of a call, or
 * white space beside one. Nothing is held back longer than it could still become a marker, and never more than a
 * stated bound. What looks like a call but is malformed, or names a tool that was not offered, is text. Once a call
 * has started, what follows are its arguments, as the model wrote them, right or wrong, up to its end marker.
 *
 * <p>Not here: prompts ({@link poot.core.text.chat}), tokens, and checking arguments against a tool's schema.
 */
package poot.core.text.reply;
