package poot.core.driver;

import java.util.Optional;
import poot.api.driver.InputFault;
import poot.api.driver.InputValue;
import poot.api.model.RequestInput;

/** Whether a request's value is what its declaration says. */
final class InputChecks {
    private InputChecks() {}

    /** What is wrong with the value for a prompt of that many tokens. */
    static Optional<InputFault> fault(RequestInput declared, InputValue value, int prompt) {
        String name = declared.name();
        if (value.data().element() != declared.element()) {
            return Optional.of(new InputFault.WrongType(name, declared.element(), value.data().element()));
        }
        boolean perRow = value.placement() instanceof InputValue.Row;
        if (perRow != (declared.extent() == RequestInput.Extent.PER_ROW)) {
            return Optional.of(new InputFault.WrongPlacement(name, declared.extent()));
        }
        long width = declared.value().count();
        long given = value.data().count();
        return switch (value.placement()) {
            case InputValue.Row r -> width(name, width, given);
            case InputValue.Dense d -> dense(name, width, given, prompt);
            case InputValue.Sparse s -> sparse(name, width, given, s.positions(), prompt);
        };
    }

    private static Optional<InputFault> width(String name, long needed, long given) {
        return needed == given ? Optional.empty() : Optional.of(new InputFault.WrongWidth(name, needed, given));
    }

    private static Optional<InputFault> dense(String name, long width, long given, int prompt) {
        if (width == 0 || given % width != 0) {
            return width(name, width * prompt, given);
        }
        return given / width == prompt ? Optional.empty() : Optional.of(new InputFault.NotCovering(name, prompt, given / width));
    }

    private static Optional<InputFault> sparse(String name, long width, long given, int[] positions, int prompt) {
        int before = -1;
        for (int p : positions) {
            if (p < 0 || p >= prompt) {
                return Optional.of(new InputFault.Outside(name, p, prompt));
            }
            if (p <= before) {
                return Optional.of(new InputFault.Unordered(name, p));
            }
            before = p;
        }
        return width(name, width * positions.length, given);
    }
}
