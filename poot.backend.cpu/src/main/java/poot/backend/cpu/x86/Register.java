package poot.backend.cpu.x86;

/** The general registers, by encoding. */
public enum Register {
    RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R9, R10, R11, R12, R13, R14, R15
}
