package poot.core.engine;

import poot.api.graph.Fault;

/** Why stop strings are refused. */
public sealed interface StopFault extends Fault {
    /** There are too many. */
    record TooMany(int given, int limit) implements StopFault {
        @Override
        public String message() {
            return given + " stop strings; at most " + limit + " are looked for";
        }
    }

    /** One is too long. */
    record TooLong(int index, int chars, int limit) implements StopFault {
        @Override
        public String message() {
            return "stop string " + index + " has " + chars + " chars; at most " + limit + " are looked for";
        }
    }

    /** One has nothing to look for. */
    record Empty(int index) implements StopFault {
        @Override
        public String message() {
            return "stop string " + index + " is empty";
        }
    }

    /** One has half of a surrogate pair, which no text has. */
    record Malformed(int index) implements StopFault {
        @Override
        public String message() {
            return "stop string " + index + " has half of a surrogate pair; no text would end with it";
        }
    }
}
