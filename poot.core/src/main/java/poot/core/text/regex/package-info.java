/**
 * A small regular-expression engine for patterns that come from strangers: the Oniguruma subset that tokenizers use.
 *
 * <p>In data order: {@link poot.core.text.regex.TextPattern} compiles a pattern (parse to nodes, nodes to a program)
 * and hands out {@link poot.core.text.regex.PatternScan}, which walks one text and yields its matches. Matching backtracks
 * over an explicit stack; when a text makes that expensive the scan remembers every failed (instruction, position),
 * which bounds the work by program length times text length. What goes in is a pattern and UTF-16 text; what comes
 * out are match bounds. Captures, back references and replacement templates do not belong here.
 */
package poot.core.text.regex;
