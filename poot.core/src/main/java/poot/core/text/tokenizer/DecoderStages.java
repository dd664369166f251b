package poot.core.text.tokenizer;

import java.io.ByteArrayOutputStream;
import java.util.HexFormat;

/** The running forms of {@link TextDecoder}. */
final class DecoderStages {
    private DecoderStages() {
    }

    /** Rewrites one whole piece. */
    interface PieceRewrite {
        /** Pushes what a piece becomes; {@code index} is 0 for the first and 1 for those after it. */
        void rewrite(String piece, int index, TextDecoder.Stage out);
    }

    /** Gathers each piece and takes it whole. */
    private abstract static class Gathered implements TextDecoder.Stage {
        final TextDecoder.Stage next;
        private final StringBuilder gathered = new StringBuilder();

        Gathered(TextDecoder.Stage next) {
            this.next = next;
        }

        /** Takes a finished piece. */
        abstract void piece(String whole);

        @Override
        public void text(String chunk) {
            gathered.append(chunk);
        }

        @Override
        public void end() {
            String whole = gathered.toString();
            gathered.setLength(0);
            piece(whole);
        }

        @Override
        public void finish() {
            next.finish();
        }
    }

    /** Rewrites each piece. */
    static final class ByPiece extends Gathered {
        private final PieceRewrite rewrite;
        private int index;

        ByPiece(TextDecoder.Stage next, PieceRewrite rewrite) {
            super(next);
            this.rewrite = rewrite;
        }

        @Override
        void piece(String whole) {
            rewrite.rewrite(whole, index, next);
            index = 1;
            next.end();
        }
    }

    /** {@link TextDecoder.ByteLevel}, running. */
    static final class Bytes extends Gathered {
        private final Utf8 utf8 = new Utf8();

        Bytes(TextDecoder.Stage next) {
            super(next);
        }

        @Override
        void piece(String whole) {
            StringBuilder out = new StringBuilder();
            for (byte b : ByteAlphabet.bytes(whole)) {
                utf8.accept(b & 0xFF, out);
            }
            emit(out);
        }

        @Override
        public void finish() {
            StringBuilder out = new StringBuilder();
            utf8.finish(out);
            emit(out);
            next.end();
            next.finish();
        }

        private void emit(StringBuilder out) {
            if (!out.isEmpty()) {
                next.text(out.toString());
            }
        }
    }

    /** {@link TextDecoder.ByteFallback}, running. */
    static final class ByteRuns extends Gathered {
        private final ByteArrayOutputStream run = new ByteArrayOutputStream();

        ByteRuns(TextDecoder.Stage next) {
            super(next);
        }

        @Override
        void piece(String whole) {
            int b = byteOf(whole);
            if (b >= 0) {
                run.write(b);
                return;
            }
            flush();
            next.text(whole);
            next.end();
        }

        @Override
        public void finish() {
            flush();
            next.finish();
        }

        private void flush() {
            if (run.size() == 0) {
                return;
            }
            StringBuilder text = new StringBuilder();
            if (Utf8.valid(run, text)) {
                next.text(text.toString());
                next.end();
            } else {
                for (int i = 0; i < run.size(); i++) {
                    next.text("\uFFFD");
                    next.end();
                }
            }
            run.reset();
        }
    }

    /** The byte a {@code <0xXX>} piece stands for, or -1. */
    static int byteOf(String piece) {
        boolean shaped = piece.length() == 6 && piece.startsWith("<0x") && piece.charAt(5) == '>';
        return shaped && HexFormat.isHexDigit(piece.charAt(3)) && HexFormat.isHexDigit(piece.charAt(4))
                ? HexFormat.fromHexDigits(piece, 3, 5) : -1;
    }

    /** {@link TextDecoder.Fuse}, running. */
    static final class Fused implements TextDecoder.Stage {
        private final TextDecoder.Stage next;

        Fused(TextDecoder.Stage next) {
            this.next = next;
        }

        @Override
        public void text(String chunk) {
            next.text(chunk);
        }

        @Override
        public void end() {
            // the pieces are one; it ends with the last of them
        }

        @Override
        public void finish() {
            next.end();
            next.finish();
        }
    }

    /** {@link TextDecoder.Strip}, running. */
    static final class Stripped implements TextDecoder.Stage {
        private final TextDecoder.Stage next;
        private final char content;
        private final int start;
        private final int stop;
        private final StringBuilder held = new StringBuilder();
        private int stripped;

        Stripped(TextDecoder.Stage next, char content, int start, int stop) {
            this.next = next;
            this.content = content;
            this.start = start;
            this.stop = stop;
        }

        @Override
        public void text(String chunk) {
            int from = 0;
            while (stripped < start && from < chunk.length() && chunk.charAt(from) == content) {
                from++;
                stripped++;
            }
            if (from == chunk.length()) {
                return;
            }
            stripped = start;
            held.append(chunk, from, chunk.length());
            int keep = 0;
            while (keep < stop && keep < held.length() && held.charAt(held.length() - 1 - keep) == content) {
                keep++;
            }
            int emit = held.length() - keep;
            if (emit > 0) {
                next.text(held.substring(0, emit));
                held.delete(0, emit);
            }
        }

        @Override
        public void end() {
            held.setLength(0);
            stripped = 0;
            next.end();
        }

        @Override
        public void finish() {
            next.finish();
        }
    }

    /** {@link TextDecoder.Replace}, running. */
    static final class Replaced implements TextDecoder.Stage {
        private final TextDecoder.Stage next;
        private final String literal;
        private final String content;
        private final StringBuilder held = new StringBuilder();

        Replaced(TextDecoder.Stage next, String literal, String content) {
            this.next = next;
            this.literal = literal;
            this.content = content;
        }

        @Override
        public void text(String chunk) {
            held.append(chunk);
            StringBuilder out = new StringBuilder();
            int at = 0;
            for (int hit = held.indexOf(literal); hit >= 0; hit = held.indexOf(literal, at)) {
                out.append(held, at, hit).append(content);
                at = hit + literal.length();
            }
            int keep = Math.min(literal.length() - 1, held.length() - at);
            while (keep > 0 && !literal.startsWith(held.substring(held.length() - keep))) {
                keep--;
            }
            out.append(held, at, held.length() - keep);
            held.delete(0, held.length() - keep);
            if (!out.isEmpty()) {
                next.text(out.toString());
            }
        }

        @Override
        public void end() {
            if (!held.isEmpty()) {
                next.text(held.toString());
                held.setLength(0);
            }
            next.end();
        }

        @Override
        public void finish() {
            next.finish();
        }
    }
}
