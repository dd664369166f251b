package poot.core.text.tokenizer;

import java.util.Arrays;

/**
 * The unigram language model (Kudo 2018): the segmentation of highest summed log probability, found by Viterbi in
 * double precision. A character that is no piece costs ten more than the worst piece; neighbours of that kind share
 * one unknown id, or become bytes where the vocabulary has byte pieces.
 *
 * @param vocabulary   pieces
 * @param pieces       the pieces that may match
 * @param scores       by id: log probability
 * @param unknown      the id of what is no piece
 * @param unknownScore what it costs
 * @param byteFallback spell unknown text in byte pieces where all of them exist
 * @param cache        the words met lately
 */
record Unigram(Vocabulary vocabulary, PieceTrie pieces, double[] scores, int unknown, double unknownScore,
        boolean byteFallback, WordCache cache) implements PieceModel {
    private static final int NOWHERE = -1;

    @Override
    public void encode(char[] text, int from, int to, IntList out) {
        if (!cache.recall(text, from, to, out)) {
            int begin = out.size();
            segment(text, from, to, out);
            cache.remember(text, from, to, out, begin);
        }
    }

    private void segment(char[] text, int from, int to, IntList out) {
        int n = to - from;
        double[] best = new double[n + 1];
        int[] origin = new int[n + 1];
        int[] id = new int[n + 1];
        Arrays.fill(origin, NOWHERE);
        origin[0] = 0;
        for (int at = 0; at < n; ) {
            int width = Character.charCount(Character.codePointAt(text, from + at, to));
            boolean whole = false;
            int node = 0;
            for (int end = at; end < n; ) {
                node = pieces.step(node, text[from + end++]);
                if (node < 0) {
                    break;
                }
                int piece = pieces.value(node);
                if (piece >= 0) {
                    relax(best, origin, id, at, end, piece, scores[piece]);
                    whole |= end - at == width;
                }
            }
            if (!whole) {
                relax(best, origin, id, at, at + width, unknown, unknownScore);
            }
            at += width;
        }
        emit(text, from, origin, id, out);
    }

    private static void relax(double[] best, int[] origin, int[] id, int at, int end, int piece, double score) {
        double candidate = best[at] + score;
        if (origin[end] == NOWHERE || candidate > best[end]) {
            best[end] = candidate;
            origin[end] = at;
            id[end] = piece;
        }
    }

    private void emit(char[] text, int from, int[] origin, int[] id, IntList out) {
        int n = id.length - 1;
        int[] ends = new int[n + 1];
        int count = 0;
        for (int end = n; end > 0; end = origin[end]) {
            ends[count++] = end;
        }
        for (int i = count - 1; i >= 0; i--) {
            int end = ends[i];
            if (id[end] != unknown) {
                out.add(id[end]);
                continue;
            }
            int start = origin[end];
            while (i > 0 && id[ends[i - 1]] == unknown) {
                end = ends[--i];
            }
            unknown(text, from + start, from + end, out);
        }
    }

    private void unknown(char[] text, int from, int to, IntList out) {
        if (byteFallback) {
            byte[] bytes = Utf8.encode(text, from, to);
            int[] ids = new int[bytes.length];
            boolean all = true;
            for (int i = 0; i < bytes.length; i++) {
                ids[i] = vocabulary.id(BytePairs.bytePiece(bytes[i] & 0xFF));
                all &= ids[i] >= 0;
            }
            if (all) {
                out.addAll(ids);
                return;
            }
        }
        int whole = vocabulary.id(text, from, to);
        out.add(whole >= 0 ? whole : unknown);
    }
}
