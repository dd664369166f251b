package poot.core.kernel.interpret;

/**
 * Where a kernel went wrong.
 *
 * @param instruction its first line as text
 * @param x the workgroup along x
 * @param y the workgroup along y
 * @param z the workgroup along z
 * @param thread the thread in the workgroup; of several, the first
 */
public record Where(String kernel, String instruction, int x, int y, int z, int thread) {
    @Override
    public String toString() {
        return "kernel " + kernel + ", workgroup (" + x + ", " + y + ", " + z + "), thread " + thread + ", " + instruction;
    }
}
