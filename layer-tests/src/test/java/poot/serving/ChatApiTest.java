package poot.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Chat and completions, whole and streamed, field by field. */
class ChatApiTest {
    private static final String CHAT = "/v1/chat/completions";
    private static final String TEXT = "/v1/completions";
    private static final String ASK = "'seed':11,'messages':[{'role':'user','content':'What is the capital of France?'}]";

    private static Site site;

    @BeforeAll
    static void open() throws Exception {
        site = Site.demo();
    }

    @AfterAll
    static void close() {
        site.close();
    }

    private static JsonNode choice(JsonNode answer) {
        return answer.get("choices").get(0);
    }

    private static String content(JsonNode answer) {
        return choice(answer).get("message").get("content").stringValue();
    }

    @Test
    void answersAMessage() throws Exception {
        JsonNode a = site.ok(CHAT, "{'model':'poot-tiny'," + ASK + "}");
        assertEquals("The capital of France is Paris.", content(a));
        assertEquals("stop", choice(a).get("finish_reason").stringValue());
        assertEquals("assistant", choice(a).get("message").get("role").stringValue());
        assertEquals("chat.completion", a.get("object").stringValue());
        assertEquals("poot-tiny", a.get("model").stringValue());
        JsonNode usage = a.get("usage");
        assertEquals(usage.get("total_tokens").intValue(), usage.get("prompt_tokens").intValue() + usage.get("completion_tokens").intValue());
    }

    @Test
    void streamsTheSame() throws Exception {
        for (String fields : List.of(",'temperature':0", ",'temperature':1.2,'max_tokens':30", ",'n':3,'temperature':1,'max_tokens':20",
                ",'stop':['France','zzz'],'temperature':0", ",'logprobs':true,'top_logprobs':2,'max_tokens':6,'temperature':0")) {
            JsonNode whole = site.ok(CHAT, "{" + ASK + fields + "}");
            List<JsonNode> events = site.stream(CHAT, "{" + ASK + fields + ",'stream':true,'stream_options':{'include_usage':true}}");
            int choices = whole.get("choices").size();
            for (int c = 0; c < choices; c++) {
                StringBuilder text = new StringBuilder();
                String finish = null;
                int logprobs = 0;
                for (JsonNode e : events) {
                    if (e.get("choices").isEmpty() || e.get("choices").get(0).get("index").intValue() != c) {
                        continue;
                    }
                    JsonNode delta = e.get("choices").get(0).get("delta");
                    text.append(delta.has("content") ? delta.get("content").stringValue() : "");
                    JsonNode f = e.get("choices").get(0).get("finish_reason");
                    finish = f.isNull() ? finish : f.stringValue();
                    JsonNode l = e.get("choices").get(0).get("logprobs");
                    logprobs += l.isNull() ? 0 : l.get("content").size();
                }
                JsonNode expected = whole.get("choices").get(c);
                assertEquals(expected.get("message").get("content").stringValue(), text.toString(), fields);
                assertEquals(expected.get("finish_reason").stringValue(), finish, fields);
                assertEquals(expected.get("logprobs").isNull() ? 0 : expected.get("logprobs").get("content").size(), logprobs, fields);
            }
            JsonNode last = events.getLast();
            assertEquals(0, last.get("choices").size());
            assertEquals(whole.get("usage").get("completion_tokens"), last.get("usage").get("completion_tokens"), fields);
        }
    }

    @Test
    void stopsAtAString() throws Exception {
        JsonNode a = site.ok(CHAT, "{" + ASK + ",'stop':' France'}");
        assertEquals("The capital of", content(a));
        assertEquals("stop", choice(a).get("finish_reason").stringValue());
        assertEquals("length", choice(site.ok(CHAT, "{" + ASK + ",'max_completion_tokens':2,'max_tokens':50}")).get("finish_reason").stringValue());
    }

    @Test
    void drawsAreSeeded() throws Exception {
        String body = "{'prompt':'Once','temperature':2,'max_tokens':24,'seed':";
        JsonNode first = choice(site.ok(TEXT, body + "1}")).get("text");
        assertEquals(first, choice(site.ok(TEXT, body + "1}")).get("text"));
        assertNotEquals(first, choice(site.ok(TEXT, body + "2}")).get("text"));
        JsonNode several = site.ok(TEXT, body + "1,'n':2}").get("choices");
        assertEquals(first, several.get(0).get("text"));
        assertNotEquals(first, several.get(1).get("text"));
        assertEquals(choice(site.ok(TEXT, "{'prompt':'Once','temperature':0}")).get("text"),
                choice(site.ok(TEXT, "{'prompt':'Once','temperature':2,'seed':3,'top_k':1}")).get("text"));
    }

    @Test
    void aBiasForbidsOrForcesAToken() throws Exception {
        int id = site.ok("/tokenize", "{'prompt':' Paris','add_special_tokens':false}").get("tokens").get(0).intValue();
        String forced = content(site.ok(CHAT, "{" + ASK + ",'logit_bias':{'" + id + "':100},'max_tokens':3}"));
        String piece = site.ok("/detokenize", "{'tokens':[" + id + "," + id + "," + id + "]}").get("prompt").stringValue();
        assertEquals(piece.strip(), forced.strip());
        assertNotEquals("The capital of France is Paris.", content(site.ok(CHAT, "{" + ASK + ",'frequency_penalty':2,'presence_penalty':2,"
                + "'repetition_penalty':5,'max_tokens':9}")));
    }

    @Test
    void logprobsAddUp() throws Exception {
        JsonNode content = choice(site.ok(CHAT, "{" + ASK + ",'logprobs':true,'top_logprobs':3,'max_tokens':4}")).get("logprobs").get("content");
        assertEquals(4, content.size());
        for (JsonNode t : content) {
            assertEquals(3, t.get("top_logprobs").size());
            assertEquals(t.get("token"), t.get("top_logprobs").get(0).get("token"), "greedy takes the likeliest");
            assertTrue(t.get("logprob").doubleValue() <= 0);
            assertFalse(t.get("bytes").isEmpty());
        }
        JsonNode text = choice(site.ok(TEXT, "{'prompt':'The capital','logprobs':2,'max_tokens':5}"));
        JsonNode l = text.get("logprobs");
        StringBuilder s = new StringBuilder();
        for (int i = 0; i < 5; i++) {
            assertEquals(s.length(), l.get("text_offset").get(i).intValue());
            s.append(l.get("tokens").get(i).stringValue());
        }
        assertEquals(text.get("text").stringValue(), s.toString());
    }

    @Test
    void completesTextsAndIds() throws Exception {
        JsonNode ids = site.ok("/tokenize", "{'prompt':'The capital of'}").get("tokens");
        JsonNode a = site.ok(TEXT, "{'prompt':['The capital of','Once'],'max_tokens':5,'n':2,'echo':true,'temperature':0}");
        assertEquals(4, a.get("choices").size());
        String first = choice(a).get("text").stringValue();
        assertTrue(first.startsWith("The capital of"), first);
        assertEquals(first.substring("The capital of".length()),
                choice(site.ok(TEXT, "{'prompt':" + ids + ",'max_tokens':5,'temperature':0}")).get("text").stringValue());
        StringBuilder text = new StringBuilder();
        for (JsonNode e : site.stream(TEXT, "{'prompt':'The capital of','max_tokens':5,'stream':true,'echo':true,'temperature':0}")) {
            text.append(choice(e).get("text").stringValue());
        }
        assertEquals(first, text.toString());
    }

    @Test
    void theBestOfSomeAreThoseOfTheGreatestMeanLogprob() throws Exception {
        String ask = "{'prompt':['The capital of','Once'],'max_tokens':6,'temperature':1.5,'seed':5,'ignore_eos':true,'logprobs':1,%s}";
        JsonNode all = site.ok(TEXT, ask.formatted("'n':6")).get("choices");
        JsonNode best = site.ok(TEXT, ask.formatted("'n':2,'best_of':6"));
        assertEquals(4, best.get("choices").size());
        for (int p = 0; p < 2; p++) {
            List<JsonNode> made = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                made.add(all.get(6 * p + i));
            }
            made.sort(Comparator.comparingDouble(ChatApiTest::mean).reversed());
            assertTrue(mean(made.get(1)) > mean(made.get(2)), "they differ");
            for (int i = 0; i < 2; i++) {
                JsonNode shown = best.get("choices").get(2 * p + i);
                assertEquals(2 * p + i, shown.get("index").intValue());
                assertEquals(made.get(i).get("text"), shown.get("text"));
                assertEquals(made.get(i).get("logprobs"), shown.get("logprobs"));
            }
        }
        assertEquals(2 * 6 * 6, best.get("usage").get("completion_tokens").intValue(), "every candidate is paid for");
        JsonNode bare = site.ok(TEXT, ask.formatted("'best_of':6").replace("'logprobs':1,", "'echo':true,"));
        assertEquals("The capital of" + best.get("choices").get(0).get("text").stringValue(), choice(bare).get("text").stringValue());
        assertTrue(choice(bare).get("logprobs").isNull(), "they were not asked for");
    }

    private static double mean(JsonNode choice) {
        double sum = 0;
        for (JsonNode l : choice.get("logprobs").get("token_logprobs")) {
            sum += l.doubleValue();
        }
        return sum / choice.get("logprobs").get("token_logprobs").size();
    }

    @Test
    void takesWhatClientsSend() throws Exception {
        assertEquals("The capital of France is Paris.", content(site.ok(CHAT, "{" + ASK + ",'user':'a','metadata':{'a':'b'},'store':false,"
                + "'service_tier':'auto','parallel_tool_calls':true,'tools':[],'tool_choice':'none','response_format':{'type':'text'},"
                + "'n':1,'stop':[],'top_p':1,'temperature':0,'presence_penalty':0,'frequency_penalty':0.0,'logit_bias':{},'stream':false,"
                + "'modalities':['text'],'max_tokens':null,'stream_options':null,'reasoning_effort':'low'}")));
        assertEquals(content(site.ok(CHAT, "{" + ASK + "}")), content(site.ok(CHAT,
                "{'messages':[{'role':'user','content':[{'type':'text','text':'What is the capital of France?'}]}]}")));
    }
}
