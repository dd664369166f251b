package poot.core.text.tokenizer;

/**
 * Byte-pair encoding by merge rank (Sennrich et al. 2016): start from characters, merge the pair of lowest rank
 * (leftmost first) until none is left. A heap keeps this at O(n log n) for a word of n characters.
 *
 * @param vocabulary pieces; in a byte-level vocabulary they are spelled in {@link ByteAlphabet}
 * @param merges     ranked pairs
 * @param rules      how single characters and whole words are treated
 * @param cache      the words met lately
 */
record BytePairs(Vocabulary vocabulary, MergeTable merges, Rules rules, WordCache cache) implements PieceModel {
    private static final String HEX = "0123456789ABCDEF";

    /**
     * How single characters and whole words are treated.
     *
     * @param byteLevel    words are plain text still to be spelled in {@link ByteAlphabet}
     * @param wholeWords   a word that is a piece is that piece, whatever the merges say
     * @param byteFallback an unknown character becomes its bytes' pieces {@code <0xXX>} where all of them exist
     * @param unknown      the id of a character that is nothing else, or -1 to drop it
     * @param fuseUnknown  neighbouring unknown characters share one id
     * @param prefix       put before every character but the first for lookup
     * @param suffix       put after the last character for lookup
     */
    record Rules(boolean byteLevel, boolean wholeWords, boolean byteFallback, int unknown, boolean fuseUnknown,
            String prefix, String suffix) {
        boolean plain() {
            return prefix.isEmpty() && suffix.isEmpty();
        }
    }

    /** True if a word's ids are those of its parts wherever no merge joins them. */
    boolean seamless() {
        boolean marked = rules.unknown < 0 || vocabulary.piece(rules.unknown).endsWith(">");
        return marked && rules.plain() && !rules.wholeWords && !rules.byteLevel;
    }

    @Override
    public void encode(char[] text, int from, int to, IntList out) {
        if (cache.recall(text, from, to, out)) {
            return;
        }
        int begin = out.size();
        if (rules.byteLevel) {
            char[] spelled = ByteAlphabet.spell(text, from, to);
            encodeSpelled(spelled, 0, spelled.length, out);
        } else {
            encodeSpelled(text, from, to, out);
        }
        cache.remember(text, from, to, out, begin);
    }

    private void encodeSpelled(char[] word, int from, int to, IntList out) {
        if (rules.wholeWords) {
            int whole = vocabulary.id(word, from, to);
            if (whole >= 0) {
                out.add(whole);
                return;
            }
        }
        merge(symbols(word, from, to), out);
    }

    private IntList symbols(char[] word, int from, int to) {
        IntList symbols = new IntList(to - from);
        boolean unknownBefore = false;
        for (int at = from; at < to; ) {
            int length = Character.charCount(Character.codePointAt(word, at, to));
            int id = rules.plain() ? vocabulary.id(word, at, at + length) : decorated(word, from, at, at + length, to);
            boolean unknown = false;
            if (id >= 0) {
                symbols.add(id);
            } else if (!(rules.byteFallback && addBytes(word, at, at + length, symbols)) && rules.unknown >= 0) {
                if (!(unknownBefore && rules.fuseUnknown)) {
                    symbols.add(rules.unknown);
                }
                unknown = true;
            }
            unknownBefore = unknown;
            at += length;
        }
        return symbols;
    }

    private int decorated(char[] word, int from, int at, int end, int to) {
        String s = new String(word, at, end - at);
        return vocabulary.id((at > from ? rules.prefix : "") + s + (end == to ? rules.suffix : ""));
    }

    private boolean addBytes(char[] word, int from, int to, IntList symbols) {
        byte[] bytes = Utf8.encode(word, from, to);
        int[] ids = new int[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            ids[i] = vocabulary.id(bytePiece(bytes[i] & 0xFF));
            if (ids[i] < 0) {
                return false;
            }
        }
        symbols.addAll(ids);
        return true;
    }

    /** The piece that stands for a byte in vocabularies with byte fallback. */
    static String bytePiece(int b) {
        return "<0x" + HEX.charAt(b >> 4) + HEX.charAt(b & 15) + ">";
    }

    private void merge(IntList symbols, IntList out) {
        int n = symbols.size();
        int[] id = symbols.toArray();
        int[] next = new int[n];
        int[] previous = new int[n];
        MergeQueue queue = new MergeQueue(n);
        for (int i = 0; i < n; i++) {
            previous[i] = i - 1;
            next[i] = i + 1;
            offer(queue, id, i, i + 1);
        }
        while (!queue.isEmpty()) {
            long top = queue.poll();
            int left = (int) top;
            int right = id[left] < 0 ? n : next[left];
            if (right >= n) {
                continue;
            }
            long merge = merges.get(id[left], id[right]);
            if (merge < 0 || (int) merge != merges.merged((int) (top >> 32))) {
                continue;
            }
            id[left] = (int) merge;
            id[right] = -1;
            next[left] = next[right];
            if (next[right] < n) {
                previous[next[right]] = left;
            }
            offer(queue, id, previous[left], left);
            offer(queue, id, left, next[left]);
        }
        for (int i = 0; i < n; i++) {
            if (id[i] >= 0) {
                out.add(id[i]);
            }
        }
    }

    private void offer(MergeQueue queue, int[] id, int left, int right) {
        if (left < 0 || right >= id.length) {
            return;
        }
        long merge = merges.get(id[left], id[right]);
        if (merge >= 0) {
            queue.add(merge & 0xFFFFFFFF00000000L | left);
        }
    }
}
