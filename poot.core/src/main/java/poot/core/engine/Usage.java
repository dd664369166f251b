package poot.core.engine;

/**
 * What a request took.
 *
 * @param prompt    tokens of its prompt
 * @param reused    of those, tokens whose keys and values were found in the prefix cache before its first step
 * @param generated tokens handed to the caller
 */
public record Usage(int prompt, int reused, int generated) {}
