package poot.architecture;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import poot.api.graph.Encoding;

/** What the rules must catch: one small wrong class each. */
final class Violations {
    private Violations() {}

    static final class TextHelper {}

    static final class CacheImpl {}

    record Attributes(Object[] values) {}

    static final class Counter {
        static int count;
    }

    static final class Cache {
        static final HashMap<String, String> ENTRIES = new HashMap<>(Map.of());
    }

    static final class Native {
        @SuppressWarnings("restricted")
        MemorySegment grow(MemorySegment s) {
            return s.reinterpret(8);
        }
    }

    static final class Unowned {
        MemorySegment bytes() {
            return Arena.ofAuto().allocate(8);
        }
    }

    static final class Tiled {
        int rows(Encoding e) {
            return e == Encoding.Q4_0 ? 8 : 4;
        }
    }

    static final class Bare {
        void fail() {
            throw new RuntimeException("it failed");
        }
    }

    static final class Loud {
        void shout() {
            System.out.println("here");
        }
    }
}
