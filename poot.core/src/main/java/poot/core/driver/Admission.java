package poot.core.driver;

import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import poot.api.driver.AdmitException;
import poot.api.driver.AdmitFault;
import poot.api.driver.DriverOptions;
import poot.api.driver.Feature;
import poot.api.driver.Incompatible;
import poot.api.driver.InputFault;
import poot.api.driver.InputValue;
import poot.api.driver.RequestInputs;
import poot.api.driver.SamplingParams;
import poot.api.driver.SeqRequest;
import poot.api.model.Model;
import poot.api.model.ModelSchema;
import poot.api.model.RequestInput;

/** Checks a request against the model's schema and the prepared set, before it takes anything. */
final class Admission {
    private final Model model;
    private final DriverOptions options;
    private final PreparedSet prepared;
    private final Heads heads;

    Admission(Model model, DriverOptions options, PreparedSet prepared, Heads heads) {
        this.model = model;
        this.options = options;
        this.prepared = prepared;
        this.heads = heads;
    }

    /** Admits a request for the step program. */
    void check(SeqRequest request) throws AdmitException {
        tokens(request.prompt(), options.cache().capacity());
        sampling(request.sampling());
        Set<Feature> met = EnumSet.noneOf(Feature.class);
        met.addAll(Compatibility.of(request));
        met.addAll(Compatibility.of(model.schema()));
        Optional<Incompatible> refusal = Compatibility.refusal(met);
        if (refusal.isPresent()) {
            throw new AdmitException(refusal.get());
        }
        if (heads.narrowest(heads.prefilling(), List.of(request)).isEmpty()) {
            throw new AdmitException(new AdmitFault.Unserved(asked(request), heads.asSet()));
        }
        inputs(request.inputs(), request.prompt().length);
        variant(carried(model.schema(), request.inputs(), true));
        variant(carried(model.schema(), request.inputs(), false));
    }

    /** Admits a row of an encode pass. */
    void check(int[] ids, RequestInputs inputs) throws AdmitException {
        tokens(ids, options.passes().encodeTokens());
        inputs(inputs, ids.length);
        variant(carried(model.schema(), inputs, true));
    }

    /** The optional inputs a step of prompt tokens binds: a row's tensor when the row starts, the others throughout. */
    static Set<String> carried(ModelSchema schema, RequestInputs given, boolean start) {
        Set<String> out = new LinkedHashSet<>();
        for (RequestInput i : schema.inputs()) {
            boolean applies = start || i.extent() == RequestInput.Extent.PER_POSITION;
            if (i.presence() == RequestInput.Presence.OPTIONAL && applies && given.names().contains(i.name())) {
                out.add(i.name());
            }
        }
        return out;
    }

    private static String asked(SeqRequest r) {
        return r.logits() ? "the full logits" : Compatibility.of(r).isEmpty() ? "the most likely token"
                : Compatibility.of(r).stream().map(Feature::toString).collect(Collectors.joining(" with "))
                        + (r.sampling().logprobs() > 0 ? " (" + r.sampling().logprobs() + ")" : "");
    }

    private void variant(Set<String> combination) throws AdmitException {
        if (!prepared.carries(combination)) {
            throw new AdmitException(new InputFault.VariantUnprepared(String.join(", ", combination), combination));
        }
    }

    private void tokens(int[] ids, int capacity) throws AdmitException {
        if (ids.length == 0) {
            throw new AdmitException(new AdmitFault.EmptyPrompt());
        }
        if (ids.length > capacity) {
            throw new AdmitException(new AdmitFault.TooLong(ids.length, capacity));
        }
        int vocabulary = model.config().vocabulary();
        for (int i = 0; i < ids.length; i++) {
            if (ids[i] < 0 || ids[i] >= vocabulary) {
                throw new AdmitException(new AdmitFault.UnknownToken(i, ids[i], vocabulary));
            }
        }
    }

    private void sampling(SamplingParams s) throws AdmitException {
        require(s.temperature() >= 0 && Float.isFinite(s.temperature()), "temperature", s.temperature(), "finite and at least 0");
        SamplingParams.Filters f = s.filters();
        require(f.topK() >= 0, "top_k", f.topK(), "at least 0");
        require(f.topP() > 0 && f.topP() <= 1, "top_p", f.topP(), "above 0 and at most 1");
        require(f.minP() >= 0 && f.minP() <= 1, "min_p", f.minP(), "from 0 to 1");
        SamplingParams.Adjustment a = s.adjustment();
        require(a.repetition() > 0 && Float.isFinite(a.repetition()), "repetition_penalty", a.repetition(), "finite and above 0");
        require(Float.isFinite(a.presence()), "presence_penalty", a.presence(), "finite");
        require(Float.isFinite(a.frequency()), "frequency_penalty", a.frequency(), "finite");
        require(s.logprobs() >= 0, "logprobs", s.logprobs(), "at least 0");
        int vocabulary = model.config().vocabulary();
        for (Map.Entry<Integer, Float> e : a.bias().entrySet()) {
            require(e.getKey() >= 0 && e.getKey() < vocabulary, "logit_bias token", e.getKey(), "in the vocabulary of " + vocabulary);
            require(Float.isFinite(e.getValue()), "logit_bias of token " + e.getKey(), e.getValue(), "finite");
        }
    }

    private static void require(boolean holds, String parameter, Object value, String allowed) throws AdmitException {
        if (!holds) {
            throw new AdmitException(new AdmitFault.BadSampling(parameter, value.toString(), allowed));
        }
    }

    private void inputs(RequestInputs given, int prompt) throws AdmitException {
        ModelSchema schema = model.schema();
        for (String name : given.names()) {
            Optional<RequestInput> declared = schema.input(name);
            if (declared.isEmpty()) {
                Set<String> names = schema.inputs().stream().map(RequestInput::name).collect(Collectors.toSet());
                throw new AdmitException(new InputFault.Undeclared(name, names));
            }
            Optional<InputFault> fault = InputChecks.fault(declared.get(), given.value(name).orElseThrow(), prompt);
            if (fault.isPresent()) {
                throw new AdmitException(fault.get());
            }
        }
        for (RequestInput i : schema.inputs()) {
            if (i.presence() == RequestInput.Presence.REQUIRED && !given.names().contains(i.name())) {
                throw new AdmitException(new InputFault.Missing(i.name()));
            }
        }
    }
}
