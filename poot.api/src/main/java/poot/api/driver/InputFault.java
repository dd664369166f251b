package poot.api.driver;

import java.util.Set;
import poot.api.graph.ElementType;
import poot.api.model.RequestInput;

/** A request's inputs do not fit what its model declares. */
public sealed interface InputFault extends AdmitFault {
    /** The input's name. */
    String input();

    /** The model declares no such input. */
    record Undeclared(String input, Set<String> declared) implements InputFault {
        public Undeclared {
            declared = Set.copyOf(declared);
        }

        @Override
        public String message() {
            return "request input \"" + input + "\" is not declared by the model, which reads " + declared;
        }
    }

    /** A required input is not given. */
    record Missing(String input) implements InputFault {
        @Override
        public String message() {
            return "request input \"" + input + "\" is required and missing";
        }
    }

    /** The elements are of another type. */
    record WrongType(String input, ElementType declared, ElementType given) implements InputFault {
        @Override
        public String message() {
            return "request input \"" + input + "\" is " + given + "; the model declares " + declared;
        }
    }

    /** A value per position is given for a row's tensor, or the reverse. */
    record WrongPlacement(String input, RequestInput.Extent declared) implements InputFault {
        @Override
        public String message() {
            return "request input \"" + input + "\" is declared " + declared + "; give it so";
        }
    }

    /** The number of elements is not what the positions given need. */
    record WrongWidth(String input, long needed, long given) implements InputFault {
        @Override
        public String message() {
            return "request input \"" + input + "\" has " + given + " elements where " + needed + " are needed";
        }
    }

    /** A dense value does not cover the prompt. */
    record NotCovering(String input, int prompt, long covered) implements InputFault {
        @Override
        public String message() {
            return "request input \"" + input + "\" covers " + covered + " positions of a prompt of " + prompt;
        }
    }

    /** A sparse position lies outside the prompt. */
    record Outside(String input, int position, int prompt) implements InputFault {
        @Override
        public String message() {
            return "request input \"" + input + "\" has a value for position " + position + " of a prompt of " + prompt;
        }
    }

    /** Sparse positions do not rise. */
    record Unordered(String input, int position) implements InputFault {
        @Override
        public String message() {
            return "request input \"" + input + "\": position " + position + " does not follow a smaller one";
        }
    }

    /** The step variant that binds these optional inputs was not prepared. */
    record VariantUnprepared(String input, Set<String> combination) implements InputFault {
        public VariantUnprepared {
            combination = Set.copyOf(combination);
        }

        @Override
        public String message() {
            return "no step was prepared that binds " + combination + "; add this combination to the driver's options";
        }
    }
}
