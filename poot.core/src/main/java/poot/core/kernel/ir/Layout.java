package poot.core.kernel.ir;

/** How a fragment lies in memory, its stride leading from one row (or column) to the next. */
public enum Layout { ROW_MAJOR, COLUMN_MAJOR }
