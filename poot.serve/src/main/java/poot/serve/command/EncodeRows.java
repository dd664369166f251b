package poot.serve.command;

import poot.api.driver.EncodeRow;
import poot.api.driver.InputValue;
import poot.api.driver.RequestInputs;
import poot.api.model.Model;
import poot.api.model.ModelSchema;
import poot.api.model.ProgramName;
import poot.api.model.TextCodec;

/** What an encode pass is given. */
final class EncodeRows {
    private EncodeRows() {}

    /** Refuses a model that has no encode program, or none that returns {@code output}. */
    static void require(Model model, String output, String what) throws CommandFailure {
        boolean offered = model.schema().program(ProgramName.ENCODE).filter(p -> p.outputs().contains(output)).isPresent();
        if (!offered) {
            throw new CommandFailure("a model of family " + model.config().family() + " gives no " + what);
        }
    }

    /** A framed pair, with its segments where the model reads them. */
    static EncodeRow pair(Model model, TextCodec.Pair pair) {
        EncodeRow row = EncodeRow.of(pair.ids());
        if (model.schema().input(ModelSchema.SEGMENTS).isEmpty()) {
            return row;
        }
        InputValue segments = InputValue.dense(InputValue.words(pair.segments()));
        return row.withInputs(new RequestInputs(java.util.Map.of(ModelSchema.SEGMENTS, segments)));
    }
}
