package poot.core.kernel.ir;

/** Two numbers of one type (EQ and NE also of BOOL) to a BOOL. With NaN all but NE are false. */
public enum Comparison { EQ, NE, LT, LE, GT, GE }
