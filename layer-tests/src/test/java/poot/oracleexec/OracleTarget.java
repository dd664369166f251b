package poot.oracleexec;

import java.util.Optional;
import poot.api.executor.Target;
import poot.api.graph.Composite;
import poot.api.graph.Equation;
import poot.api.graph.Format;

/** Claims no composite and refuses nothing. */
record OracleTarget() implements Target {
    static final String NAME = "oracle";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean claims(Composite composite) {
        return false;
    }

    @Override
    public Optional<String> refusal(Equation equation) {
        return Optional.empty();
    }

    @Override
    public boolean reads(Format format) {
        return true;
    }
}
