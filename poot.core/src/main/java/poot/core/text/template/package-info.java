/**
 * Chat templates: conversation in, prompt text out, as jinja2 renders it in Hugging Face transformers.
 *
 * <p>In data order: {@link poot.core.text.template.ChatTemplate#compile} runs {@code Lexer} (text to {@code Token}s),
 * {@code Parser} and {@code ExpressionParser} (tokens to {@code Node}s and {@code Expr}s); {@code render} runs
 * {@code ContextReader} (the caller's maps to {@code Value}s), {@code Interpreter} (statements) and {@code Evaluator}
 * (expressions) in one {@code Run}, which holds the limits. {@code Value} is the Python objects a template can meet;
 * {@code Operators}, {@code Comparisons}, {@code Iteration}, {@code Attributes} are their behaviour, {@code *Methods},
 * {@code *Filters}, {@code Tests} and {@code Globals} what templates call.
 *
 * <p>Templates come with checkpoints from anywhere: every render is bounded in work, size and depth
 * ({@link poot.core.text.template.TemplateLimits}), and ends in text or a
 * {@link poot.core.text.template.TemplateException}. What does not belong here: reading files, tokens, tool codecs.
 */
package poot.core.text.template;
