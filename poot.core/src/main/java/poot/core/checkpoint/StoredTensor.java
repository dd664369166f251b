package poot.core.checkpoint;

import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import poot.api.graph.Shape;

/**
 * One tensor of a safetensors file as its header describes it.
 *
 * @param file  the file that holds it
 * @param name  its name
 * @param dtype what one element is
 * @param shape its extents, outermost first
 * @param bytes the mapped elements, row-major, little-endian
 */
record StoredTensor(Path file, String name, Dtype dtype, Shape shape, MemorySegment bytes) {}
