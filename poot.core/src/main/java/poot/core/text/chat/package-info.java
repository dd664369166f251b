/**
 * Conversations as the OpenAI schema writes them, to the prompt text of a model.
 *
 * <p>In data order: {@link poot.core.text.chat.ChatTraits} finds out once what a chat template takes, by rendering
 * small conversations; {@link poot.core.text.chat.ChatRequest} is one conversation, in plain maps and lists;
 * {@link poot.core.text.chat.ChatPrompts} checks it, turns it into what the template takes ({@code ChatMessages},
 * {@code ChatCalls}), and renders it.
 *
 * <p>Not here: what templates are ({@link poot.core.text.template}), tokens, and reading replies
 * ({@link poot.core.text.reply}).
 */
package poot.core.text.chat;
