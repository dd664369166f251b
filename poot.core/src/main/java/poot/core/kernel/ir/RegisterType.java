package poot.core.kernel.ir;

/** What a register holds: one scalar per thread, or one matrix fragment per subgroup. */
public sealed interface RegisterType permits ScalarType, Fragment {}
