package poot.core.hub;

import java.util.List;

/**
 * What a removal did.
 *
 * @param models     the models that are gone
 * @param freed      bytes of disk that are free again, unfinished downloads included
 * @param kept       bytes of those models that stay, because other models of the repository hold the same files
 * @param unfinished bytes of unfinished downloads among the freed
 */
public record Removal(List<CachedModel> models, long freed, long kept, long unfinished) {
    public Removal {
        models = List.copyOf(models);
    }
}
