package poot.core.text.tokenizer;

/**
 * WordPiece: the longest piece that begins the word, then the longest continuing piece, and so on; a word that cannot
 * be spelled is one unknown id.
 *
 * @param vocabulary   pieces
 * @param pieces       the same pieces
 * @param lead         put before every word (GGUF marks the start of words)
 * @param continuation the mark of pieces that continue a word (Hugging Face)
 * @param unknown      the id of a word that cannot be spelled
 * @param longestWord  words of more code points are unknown
 */
record WordPieces(Vocabulary vocabulary, PieceTrie pieces, String lead, String continuation, int unknown,
        int longestWord) implements PieceModel {
    @Override
    public void encode(char[] text, int from, int to, IntList out) {
        if (Character.codePointCount(text, from, to - from) > longestWord) {
            out.add(unknown);
            return;
        }
        char[] word = (lead + new String(text, from, to - from)).toCharArray();
        int continued = pieces.walk(continuation);
        IntList ids = new IntList(8);
        for (int at = 0; at < word.length; ) {
            int node = at == 0 ? 0 : continued;
            int stop = -1;
            int id = -1;
            for (int end = at; node >= 0 && end < word.length; ) {
                node = pieces.step(node, word[end++]);
                if (node >= 0 && pieces.value(node) >= 0) {
                    stop = end;
                    id = pieces.value(node);
                }
            }
            if (stop < 0) {
                out.add(unknown);
                return;
            }
            ids.add(id);
            at = stop;
        }
        out.addAll(ids.toArray());
    }
}
