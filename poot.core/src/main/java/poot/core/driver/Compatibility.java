package poot.core.driver;

import static poot.api.driver.Feature.DRAW;
import static poot.api.driver.Feature.FULL_LOGITS;
import static poot.api.driver.Feature.HISTORY;
import static poot.api.driver.Feature.LOGPROBS;
import static poot.api.driver.Feature.PREFIX_REUSE;
import static poot.api.driver.Feature.RECURRENT_STATE;
import static poot.api.driver.Feature.REQUEST_INPUTS;
import static poot.api.driver.Feature.REWIND;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import poot.api.driver.Feature;
import poot.api.driver.Incompatible;
import poot.api.driver.SeqRequest;
import poot.api.model.ModelSchema;
import poot.api.model.ProgramName;
import poot.api.model.StateSpec;

/** The one table of features that do not compose; every pair not listed does. */
final class Compatibility {
    private static final List<Incompatible> TABLE = List.of(
            new Incompatible(DRAW, FULL_LOGITS, "a caller who asks for the logits draws itself"),
            new Incompatible(HISTORY, FULL_LOGITS, "the logits come back as the model computed them, without penalties or bias"),
            new Incompatible(LOGPROBS, FULL_LOGITS, "logprobs are of the adjusted distribution, which the logits precede"),
            new Incompatible(REWIND, RECURRENT_STATE, "a recurrent state holds the whole past and cannot be cut back"),
            new Incompatible(REWIND, HISTORY, "the device has counted the tokens to be forgotten"),
            new Incompatible(REWIND, REQUEST_INPUTS, "their values belong to the positions of the prompt"),
            new Incompatible(PREFIX_REUSE, RECURRENT_STATE, "a recurrent state is kept at one length alone"),
            new Incompatible(PREFIX_REUSE, REQUEST_INPUTS, "a beginning is known by its tokens alone"));

    private Compatibility() {}

    /** What a request asks for. */
    static Set<Feature> of(SeqRequest r) {
        Set<Feature> met = EnumSet.noneOf(Feature.class);
        add(met, DRAW, r.sampling().draws());
        add(met, HISTORY, r.sampling().readsHistory());
        add(met, LOGPROBS, r.sampling().logprobs() > 0);
        add(met, FULL_LOGITS, r.logits());
        add(met, REQUEST_INPUTS, !r.inputs().names().isEmpty());
        return met;
    }

    /** What a model brings. */
    static Set<Feature> of(ModelSchema schema) {
        boolean recurrent = schema.program(ProgramName.STEP).stream().flatMap(p -> p.states().stream())
                .anyMatch(s -> s.extent() == StateSpec.Extent.SEQUENCES);
        return recurrent ? EnumSet.of(RECURRENT_STATE) : EnumSet.noneOf(Feature.class);
    }

    private static void add(Set<Feature> met, Feature feature, boolean holds) {
        if (holds) {
            met.add(feature);
        }
    }

    /** The first pair of the set that does not compose. */
    static Optional<Incompatible> refusal(Set<Feature> met) {
        return TABLE.stream().filter(i -> met.contains(i.first()) && met.contains(i.second())).findFirst();
    }
}
