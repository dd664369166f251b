package poot.serve.openai;

import poot.core.engine.Usage;

/** A step of one choice of a chat: what a stream's chunk carries, and what a whole message is put together from. */
sealed interface Delta {
    /** More of the text. */
    record Text(String text) implements Delta {}

    /** More of what was thought. */
    record Reasoning(String text) implements Delta {}

    /** A call begins. */
    record CallStart(int call, String id, String name) implements Delta {}

    /** More of a call's arguments. */
    record CallArguments(int call, String text) implements Delta {}

    /** The choice is over. */
    record Finish(String reason, Usage usage) implements Delta {}
}
