package poot.core.text.tokenizer;

/** How one pre-tokenized word becomes ids. Implementations are immutable but for caches and safe to share. */
sealed interface PieceModel permits BytePairs, ScoredPairs, Unigram, WordPieces {
    /** Appends the ids of the word text[from..to), which is not empty. */
    void encode(char[] text, int from, int to, IntList out);

    /** The pieces and their ids. */
    Vocabulary vocabulary();
}
