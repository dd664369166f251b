package poot.core.text.tokenizer;

/**
 * SentencePiece's byte-pair encoding by piece score, as GGUF's "llama" vocabularies store it: neighbours merge where
 * their concatenation is a piece, the highest score first, then leftmost. What ends up as no piece becomes bytes.
 *
 * @param vocabulary pieces
 * @param rank       by id: the place of its score among all scores, highest first; equal scores share a place
 * @param bytes      the id of each byte's piece, or the unknown id where there is none
 * @param cache      the words met lately
 */
record ScoredPairs(Vocabulary vocabulary, int[] rank, int[] bytes, WordCache cache) implements PieceModel {
    @Override
    public void encode(char[] text, int from, int to, IntList out) {
        if (!cache.recall(text, from, to, out)) {
            int begin = out.size();
            segment(text, from, to, out);
            cache.remember(text, from, to, out, begin);
        }
    }

    private void segment(char[] text, int from, int to, IntList out) {
        int n = Character.codePointCount(text, from, to - from);
        int[] start = new int[n + 1];
        int[] next = new int[n];
        int[] previous = new int[n];
        int at = from;
        for (int i = 0; i < n; i++) {
            start[i] = at;
            next[i] = i + 1;
            previous[i] = i - 1;
            at += Character.charCount(Character.codePointAt(text, at, to));
        }
        start[n] = to;
        merge(text, start, next, previous, n);
        for (int i = 0; i < n; i = next[i]) {
            int id = vocabulary.id(text, start[i], start[next[i]]);
            if (id >= 0) {
                out.add(id);
            } else {
                for (byte b : Utf8.encode(text, start[i], start[next[i]])) {
                    out.add(bytes[b & 0xFF]);
                }
            }
        }
    }

    /** Symbol i covers text[start[i]..start[next[i]]); a symbol merged away has next 0. */
    private void merge(char[] text, int[] start, int[] next, int[] previous, int n) {
        MergeQueue queue = new MergeQueue(n);
        for (int i = 0; i + 1 < n; i++) {
            offer(queue, text, start, next, i, n);
        }
        while (!queue.isEmpty()) {
            long top = queue.poll();
            int left = (int) top;
            if (next[left] == 0 || next[left] >= n || place(text, start, next, left) != (int) (top >> 32)) {
                continue;
            }
            int right = next[left];
            next[left] = next[right];
            next[right] = 0;
            if (next[left] < n) {
                previous[next[left]] = left;
                offer(queue, text, start, next, left, n);
            }
            if (previous[left] >= 0) {
                offer(queue, text, start, next, previous[left], n);
            }
        }
    }

    private int place(char[] text, int[] start, int[] next, int left) {
        int id = vocabulary.id(text, start[left], start[next[next[left]]]);
        return id < 0 ? -1 : rank[id];
    }

    private void offer(MergeQueue queue, char[] text, int[] start, int[] next, int left, int n) {
        if (next[left] < n) {
            int place = place(text, start, next, left);
            if (place >= 0) {
                queue.add((long) place << 32 | left);
            }
        }
    }
}
