package poot.core.kernel.ir;

/** What an atomic does to a U32 in memory. */
public enum AtomicOp { ADD, MAX, OR }
