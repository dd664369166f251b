package poot.core.text.tokenizer;

import java.util.List;
import poot.core.text.regex.TextPattern;

/**
 * How pieces become text again. A decoder opens as a stage that takes pieces as they come and pushes text on as soon
 * as nothing later can change it, so that decoding a stream and decoding a list are the same thing.
 */
sealed interface TextDecoder {
    /** A running decoder: text of the current piece, the piece's end, the end of all. */
    interface Stage {
        /** Takes more text of the current piece. */
        void text(String chunk);

        /** The current piece is complete. */
        void end();

        /** No piece follows. */
        void finish();
    }

    /** Starts decoding into the next stage. */
    Stage open(Stage next);

    /** One after another. */
    record Steps(List<TextDecoder> steps) implements TextDecoder {
        @Override
        public Stage open(Stage next) {
            Stage stage = next;
            for (TextDecoder step : steps.reversed()) {
                stage = step.open(stage);
            }
            return stage;
        }
    }

    /** No decoder given: pieces with spaces between them. */
    record Spaced() implements TextDecoder {
        @Override
        public Stage open(Stage next) {
            return new DecoderStages.ByPiece(next, (piece, index, out) -> out.text(index == 0 ? piece : " " + piece));
        }
    }

    /** Pieces spell bytes in {@link ByteAlphabet}; the bytes are UTF-8, and one text from here on. */
    record ByteLevel() implements TextDecoder {
        @Override
        public Stage open(Stage next) {
            return new DecoderStages.Bytes(next);
        }
    }

    /** Runs of {@code <0xXX>} pieces are UTF-8; a run that is not is one U+FFFD per byte. */
    record ByteFallback() implements TextDecoder {
        @Override
        public Stage open(Stage next) {
            return new DecoderStages.ByteRuns(next);
        }
    }

    /** All pieces are one from here on. */
    record Fuse() implements TextDecoder {
        @Override
        public Stage open(Stage next) {
            return new DecoderStages.Fused(next);
        }
    }

    /** Up to {@code start} and {@code stop} characters {@code content} go from the ends of each piece. */
    record Strip(char content, int start, int stop) implements TextDecoder {
        @Override
        public Stage open(Stage next) {
            return new DecoderStages.Stripped(next, content, start, stop);
        }
    }

    /** Every {@code literal} in a piece becomes {@code content}. */
    record Replace(String literal, String content) implements TextDecoder {
        @Override
        public Stage open(Stage next) {
            return new DecoderStages.Replaced(next, literal, content);
        }
    }

    /** Every match in a piece becomes {@code content}. */
    record ReplacePattern(TextPattern pattern, String content) implements TextDecoder {
        @Override
        public Stage open(Stage next) {
            TextNormalizer replace = new TextNormalizer.Replace(pattern, content);
            return new DecoderStages.ByPiece(next, (piece, index, out) -> out.text(replace.apply(piece)));
        }
    }

    /** Marks are spaces, but in the first piece they go where encoding put one in front. */
    record Metaspace(String mark, boolean prepended) implements TextDecoder {
        @Override
        public Stage open(Stage next) {
            return new DecoderStages.ByPiece(next,
                    (piece, index, out) -> out.text(piece.replace(mark, index == 0 && prepended ? "" : " ")));
        }
    }

    /** Continuing pieces lose their mark, others get a space before them; English punctuation is closed up. */
    record WordPiece(String mark, boolean cleanup) implements TextDecoder {
        @Override
        public Stage open(Stage next) {
            return new DecoderStages.ByPiece(next, (piece, index, out) -> {
                boolean continues = index > 0 && piece.startsWith(mark);
                String s = continues ? piece.substring(mark.length()) : index > 0 ? " " + piece : piece;
                out.text(cleanup ? closedUp(s) : s);
            });
        }

        static String closedUp(String s) {
            return s.replace(" .", ".").replace(" ?", "?").replace(" !", "!").replace(" ,", ",").replace(" ' ", "'")
                    .replace(" n't", "n't").replace(" 'm", "'m").replace(" do not", " don't").replace(" 's", "'s")
                    .replace(" 've", "'ve").replace(" 're", "'re");
        }
    }

    /** Pieces that begin a word have a mark; it is a space but in the first; English punctuation is closed up. */
    record MarkedWords(String mark) implements TextDecoder {
        @Override
        public Stage open(Stage next) {
            return new DecoderStages.ByPiece(next, (piece, index, out) -> {
                boolean begins = piece.startsWith(mark);
                String s = (begins && index > 0 ? " " : "") + (begins ? piece.substring(mark.length()) : piece);
                out.text(WordPiece.closedUp(s));
            });
        }
    }
}
