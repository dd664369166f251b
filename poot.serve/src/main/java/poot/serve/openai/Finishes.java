package poot.serve.openai;

import poot.core.engine.End;
import poot.core.engine.Piece;
import poot.core.engine.Usage;
import poot.serve.fault.ApiException;
import poot.serve.fault.ApiFault;
import poot.serve.json.JsonText;
import tools.jackson.databind.node.ObjectNode;

/** How an end is told. */
final class Finishes {
    private Finishes() {}

    /** {@code finish_reason}: whatever cut an answer short is its length. */
    static String reason(End end) {
        return switch (end) {
            case STOP, CANCELLED -> "stop";
            case LENGTH, CAPACITY, DEADLINE, SHUTDOWN -> "length";
        };
    }

    /** Whether the server's end cut a reply short. */
    static boolean cutShort(Piece.Done done) {
        return done.end() == End.SHUTDOWN;
    }

    /** Refuses to show a reply as whole that the server's end, or a deadline before the first token, cut short. */
    static void requireWhole(Piece.Done done) throws ApiException {
        if (cutShort(done)) {
            throw new ApiException(Replies.shutDown());
        }
        if (done.end() == End.DEADLINE && done.usage().generated() == 0) {
            throw new ApiException(new ApiFault.NotServing("the request's time passed before its first token"));
        }
    }

    /** {@code usage}: a prompt is counted once, however many choices it has. */
    static ObjectNode usage(long prompt, long cached, long generated) {
        ObjectNode out = JsonText.object().put("prompt_tokens", prompt).put("completion_tokens", generated)
                .put("total_tokens", prompt + generated);
        out.putObject("prompt_tokens_details").put("cached_tokens", cached);
        return out;
    }

    /** Adds up the usage of a request's choices. */
    static final class Sum {
        private final int choices;
        private long prompt;
        private long cached;
        private long generated;

        /** A sum over choices, so many of each prompt. */
        Sum(int choices) {
            this.choices = choices;
        }

        /** Adds a choice by its place. */
        void add(int index, Usage u) {
            generated += u.generated();
            if (index % choices == 0) {
                prompt += u.prompt();
                cached += u.reused();
            }
        }

        ObjectNode usage() {
            return Finishes.usage(prompt, cached, generated);
        }
    }
}
