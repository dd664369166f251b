package poot.step;

import java.util.ArrayList;
import java.util.List;
import poot.api.driver.DriverOptions;
import poot.api.driver.Preparation;
import poot.api.driver.RowResult;
import poot.api.driver.RowWork;
import poot.api.driver.SeqRequest;
import poot.api.driver.Sequence;
import poot.api.driver.ServingDriver;
import poot.api.executor.Executor;
import poot.core.driver.Driver;
import poot.core.driver.ModelHandle;

/** The loop of a driver's caller, through the public API alone. */
public final class Serving {
    private Serving() {}

    /** A prepared driver; a refusal fails the test. */
    public static ServingDriver open(ModelHandle handle, Executor executor, DriverOptions options) {
        return switch (Driver.over(handle, executor, options).prepare()) {
            case Preparation.Ready r -> r.driver();
            case Preparation.Refused r -> throw new AssertionError(r.fault().message());
        };
    }

    /** Steps sequences together, at most {@code atMost} tokens a row and step, until each returns logits. */
    public static List<float[]> logits(ServingDriver driver, List<Sequence> sequences, int atMost) throws Exception {
        float[][] out = new float[sequences.size()][];
        while (true) {
            List<RowWork> work = new ArrayList<>();
            for (int i = 0; i < out.length; i++) {
                if (out[i] == null) {
                    work.add(new RowWork(sequences.get(i), atMost));
                }
            }
            if (work.isEmpty()) {
                return List.of(out);
            }
            for (RowResult r : driver.step(work)) {
                switch (r) {
                    case RowResult.Fed f -> { }
                    case RowResult.Logits l -> out[sequences.indexOf(l.sequence())] = l.logits();
                    case RowResult.Picked p -> throw new AssertionError("picked " + p.pick());
                    case RowResult.Failed f -> throw new AssertionError(f.fault().message());
                }
            }
        }
    }

    /** The logits after one prompt, fed at most {@code atMost} tokens a step; the sequence is released. */
    public static float[] logits(ServingDriver driver, SeqRequest request, int atMost) throws Exception {
        Sequence s = driver.open(request.withLogits());
        try {
            return logits(driver, List.of(s), atMost).get(0);
        } finally {
            driver.release(s);
        }
    }

    /** The logits at every position of a prompt, its tokens committed one by one. */
    public static List<float[]> everyPosition(ServingDriver driver, int... prompt) throws Exception {
        List<float[]> out = new ArrayList<>();
        Sequence s = driver.open(SeqRequest.of(prompt[0]).withLogits());
        for (int i = 0; i < prompt.length; i++) {
            if (i > 0) {
                driver.commit(s, prompt[i]);
            }
            out.addAll(logits(driver, List.of(s), 1));
        }
        driver.release(s);
        return out;
    }

    /** The chosen continuations of requests stepped together, each {@code count} long. */
    public static List<int[]> continuations(ServingDriver driver, List<SeqRequest> requests, int count) throws Exception {
        List<Sequence> sequences = new ArrayList<>();
        for (SeqRequest r : requests) {
            sequences.add(driver.open(r));
        }
        int[][] out = new int[requests.size()][count];
        int[] done = new int[out.length];
        while (true) {
            List<RowWork> work = new ArrayList<>();
            for (int i = 0; i < out.length; i++) {
                if (done[i] < count) {
                    work.add(RowWork.of(sequences.get(i)));
                }
            }
            if (work.isEmpty()) {
                sequences.forEach(driver::release);
                return List.of(out);
            }
            for (RowResult r : driver.step(work)) {
                switch (r) {
                    case RowResult.Fed f -> { }
                    case RowResult.Picked p -> {
                        int i = sequences.indexOf(p.sequence());
                        out[i][done[i]++] = p.pick().token();
                        driver.commit(p.sequence(), p.pick().token());
                    }
                    case RowResult.Logits l -> throw new AssertionError("logits nobody asked for");
                    case RowResult.Failed f -> throw new AssertionError(f.fault().message());
                }
            }
        }
    }
}
