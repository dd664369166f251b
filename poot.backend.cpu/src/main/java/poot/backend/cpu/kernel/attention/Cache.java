package poot.backend.cpu.kernel.attention;

import java.util.Optional;
import poot.api.graph.ElementType;
import poot.backend.cpu.memory.Region;
import poot.backend.cpu.memory.Workspace;

/**
 * Keys and values.
 *
 * @param k       [slots, G, D] of {@code element}; I32 words of four codes, [slots, G, D/4], where there are scales
 * @param v       [slots, G, Dv] or [slots, G, Dv/4]
 * @param kScales F16 [slots, G, D/32]
 * @param vScales F16 [slots, G, Dv/32]
 */
public record Cache(Region k, Region v, ElementType element, Optional<Region> kScales, Optional<Region> vScales) {
    /** Keys and values of whole elements. */
    public static Cache plain(Region k, Region v, ElementType element) {
        return new Cache(k, v, element, Optional.empty(), Optional.empty());
    }

    CacheRows keys(Attention.Extents e, Workspace workspace) {
        return new CacheRows(k, element, kScales, e.groups(), e.depth(), workspace);
    }

    CacheRows values(Attention.Extents e, Workspace workspace) {
        return new CacheRows(v, element, vScales, e.groups(), e.width(), workspace);
    }
}
