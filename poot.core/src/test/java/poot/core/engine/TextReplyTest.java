package poot.core.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import poot.api.driver.GenerateLimits;
import poot.api.driver.Pick;
import poot.api.driver.SeqRequest;
import poot.api.driver.StepFault;

/** Text out of tokens: what is held back, where it is cut, and which text each token has. */
class TextReplyTest {
    private static final FakeCodec CODEC = new FakeCodec();

    private static Job job() {
        return new Job(0, SeqRequest.of(1, 2, 3), 3, new GenerateLimits(10_000, Set.of()), Deadlines.NONE, 0);
    }

    private static Job saying(String text) {
        Job job = job();
        job.tell(new Event.Started(Duration.ZERO, 2));
        int[] ids = CODEC.encode(text, false);
        for (int i = 0; i < ids.length; i++) {
            job.tell(new Event.Token(new Pick(ids[i], -i, List.of()), i));
        }
        job.tell(new Event.Ended(End.LENGTH, new Usage(3, 2, ids.length), OptionalInt.empty()));
        return job;
    }

    private static List<Piece> pieces(Job job, TextRules rules) throws InterruptedException {
        TextReply reply = TextReply.of(job, CODEC, rules);
        List<Piece> out = new ArrayList<>();
        for (Optional<Piece> p = reply.next(Duration.ZERO); p.isPresent(); p = reply.next(Duration.ZERO)) {
            out.add(p.get());
        }
        return out;
    }

    private static String text(List<Piece> pieces) {
        StringBuilder out = new StringBuilder();
        for (Piece p : pieces) {
            if (p instanceof Piece.Text t) {
                out.append(t.text());
            }
        }
        return out.toString();
    }

    private static List<TokenText> tokens(List<Piece> pieces) {
        return pieces.stream().filter(Piece.Text.class::isInstance).flatMap(p -> ((Piece.Text) p).tokens().stream()).toList();
    }

    private static TextRules stops(String... stops) throws StopException {
        return TextRules.PLAIN.withStops(StopStrings.of(List.of(stops)));
    }

    @Test
    void textComesAsItIsCertain() throws Exception {
        List<Piece> pieces = pieces(saying("añ€"), TextRules.PLAIN);
        assertEquals(List.of("a", "ñ", "€"), pieces.stream().limit(3).map(p -> ((Piece.Text) p).text()).toList());
        assertEquals(new Piece.Done(End.LENGTH, new Usage(3, 2, 6), Optional.empty(), OptionalInt.empty()), pieces.get(3));
        assertEquals(4, pieces.size());
        List<TokenText> tokens = tokens(pieces);
        assertEquals(List.of("a", "", "ñ", "", "", "€"), tokens.stream().map(TokenText::text).toList());
        assertEquals(List.of(0, 1, 1, 2, 2, 2), tokens.stream().map(TokenText::offset).toList());
        assertEquals(-5f, tokens.get(5).pick().logprob());
    }

    @Test
    void aBrokenCharacterIsTheLastTokens() throws Exception {
        Job job = job();
        job.tell(new Event.Token(new Pick(0xe2, 0, List.of()), 0));
        job.tell(new Event.Ended(End.STOP, new Usage(3, 0, 1), OptionalInt.of(9)));
        List<Piece> pieces = pieces(job, TextRules.PLAIN);
        assertEquals("\ufffd", text(pieces));
        assertEquals("\ufffd", tokens(pieces).getFirst().text());
        assertEquals(OptionalInt.of(9), ((Piece.Done) pieces.getLast()).stopId());
    }

    @Test
    void aStopStringIsCutAndEndsTheRequest() throws Exception {
        Job job = job();
        TextReply reply = TextReply.of(job, CODEC, stops("STOP", "x"));
        int i = 0;
        for (int id : CODEC.encode("ab STOP", false)) {
            job.tell(new Event.Token(new Pick(id, 0, List.of()), i++));
        }
        List<Piece> pieces = new ArrayList<>();
        for (Optional<Piece> p = reply.next(Duration.ZERO); p.isPresent(); p = reply.next(Duration.ZERO)) {
            pieces.add(p.get());
        }
        assertEquals("ab ", text(pieces));
        assertEquals(new Piece.Done(End.STOP, new Usage(3, 0, 7), Optional.of("STOP"), OptionalInt.empty()), pieces.getLast());
        assertEquals(3, tokens(pieces).size(), "tokens of the stop string have no text");
        assertEquals(Optional.of(End.CANCELLED), job.over(0, true), "the engine need not go on");
        assertEquals(Optional.empty(), reply.next(Duration.ZERO));
    }

    @Test
    void whatOnlyBeganLikeAStopStringIsText() throws Exception {
        List<Piece> pieces = pieces(saying("a STOXX ST"), stops("STOP"));
        assertEquals("a STOXX ST", text(pieces));
        assertEquals("STOX", ((Piece.Text) pieces.get(2)).text(), "held back until the X");
        assertEquals("ST", ((Piece.Text) pieces.get(pieces.size() - 2)).text(), "and at the end");
    }

    @Test
    void theStopStringCanBeKept() throws Exception {
        assertEquals("ab STOP", text(pieces(saying("ab STOP more"), stops("STOP").withIncludeStop(true))));
    }

    @Test
    void ofStopStringsCompleteAtOnceTheLongestCuts() throws Exception {
        assertEquals("", text(pieces(saying("abc"), stops("c", "abc", "bc"))));
        assertEquals("a", text(pieces(saying("abcd"), stops("abcd", "bc"))), "the first to be complete");
    }

    @Test
    void aTokenThatAStopStringCutsKeepsWhatIsBefore() throws Exception {
        StopText t = new StopText(StopStrings.of(List.of("\n\n")), false);
        assertFalse(t.token(new Pick(1, 0, List.of()), 0, "one"));
        assertTrue(t.token(new Pick(2, 0, List.of()), 1, ".\n\nTwo"));
        Piece.Text text = t.all().orElseThrow();
        assertEquals("one.", text.text());
        assertEquals(List.of("one", "."), text.tokens().stream().map(TokenText::text).toList());
        assertEquals(3, text.tokens().getLast().offset());
    }

    @Test
    void randomTextsAndStopsAgreeWithANaiveSearch() throws Exception {
        Random r = new Random(4);
        for (int round = 0; round < 3000; round++) {
            List<String> stops = new ArrayList<>();
            for (int i = r.nextInt(5); i >= 0; i--) {
                stops.add(letters(r, 1 + r.nextInt(6)));
            }
            String text = letters(r, r.nextInt(60));
            int end = text.length();
            int cut = text.length();
            for (int to = 1; to <= text.length() && end == text.length() && cut == text.length(); to++) {
                String head = text.substring(0, to);
                for (String s : stops) {
                    if (head.endsWith(s) && to - s.length() < cut) {
                        cut = to - s.length();
                        end = to;
                    }
                }
            }
            StopText t = new StopText(StopStrings.of(stops), false);
            StringBuilder out = new StringBuilder();
            boolean stopped = false;
            for (int from = 0, n = 0; from < text.length() && !stopped; n++) {
                int to = Math.min(text.length(), from + 1 + r.nextInt(5));
                stopped = t.token(new Pick(n, 0, List.of()), n, text.substring(from, to));
                (stopped ? t.all() : t.certain()).ifPresent(p -> out.append(p.text()));
                from = to;
            }
            t.all().ifPresent(p -> out.append(p.text()));
            assertEquals(text.substring(0, cut), out.toString(), text + " until " + stops);
        }
    }

    private static String letters(Random r, int n) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < n; i++) {
            out.append((char) ('a' + r.nextInt(2)));
        }
        return out.toString();
    }

    @Test
    void longTextsAndManyStopsTakeLinearTime() throws Exception {
        List<String> stops = new ArrayList<>();
        for (int i = 0; i < StopStrings.MOST; i++) {
            stops.add("a".repeat(StopStrings.LONGEST - 1) + (char) ('b' + i));
        }
        StopText t = new StopText(StopStrings.of(stops), false);
        Pick pick = new Pick(0, 0, List.of());
        int given = 0;
        for (int i = 0; i < 300_000; i++) {
            assertFalse(t.token(pick, i, "a"));
            given += t.certain().map(p -> p.text().length()).orElse(0);
        }
        assertEquals(300_000 - (StopStrings.LONGEST - 1), given);
    }

    @Test
    void stopStringsAreBounded() {
        assertInstanceOf(StopFault.Empty.class, refused(List.of("a", "")));
        assertEquals(new StopFault.TooLong(0, 1025, 1024), refused(List.of("a".repeat(1025))));
        assertEquals(new StopFault.TooMany(65, 64), refused(java.util.Collections.nCopies(65, "a")));
        assertEquals(new StopFault.Malformed(0), refused(List.of("\udc00a")));
    }

    private static StopFault refused(List<String> stops) {
        return assertThrows(StopException.class, () -> StopStrings.of(stops)).fault();
    }

    @Test
    void aFailureComesAfterTheTextBefore() throws Exception {
        Job job = job();
        job.tell(new Event.Token(new Pick('S', 0, List.of()), 0));
        EngineFault fault = new EngineFault.Step(new StepFault.NonFinite(1, 2));
        job.tell(new Event.Failed(fault, new Usage(3, 0, 1)));
        List<Piece> pieces = pieces(job, stops("STOP"));
        assertEquals("S", text(pieces));
        assertEquals(new Piece.Failed(fault, new Usage(3, 0, 1)), pieces.getLast());
    }

    @Test
    void aClosedReplyIsCancelled() throws Exception {
        Job job = job();
        TextReply.of(job, CODEC, TextRules.PLAIN).close();
        assertEquals(Optional.of(End.CANCELLED), job.over(0, true));
    }
}
