package poot.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import poot.golden.SharedData;
import poot.serve.config.ServerOptions;
import tools.jackson.databind.JsonNode;

/** Models, tokens, health, figures, the description, embeddings. */
class OtherApiTest {
    private static Site site;

    @BeforeAll
    static void open() throws Exception {
        site = Site.demo();
    }

    @AfterAll
    static void close() {
        site.close();
    }

    @Test
    void listsTheModel() throws Exception {
        JsonNode list = Site.read(site.get("/v1/models").body());
        assertEquals("poot-tiny", list.get("data").get(0).get("id").stringValue());
        assertEquals(list.get("data").get(0), Site.read(site.get("/v1/models/poot-tiny").body()));
        HttpResponse<String> none = site.get("/v1/models/org/other");
        assertEquals(404, none.statusCode());
        assertEquals("model_not_found", Site.read(none.body()).get("error").get("code").stringValue());
    }

    @Test
    void isHealthy() throws Exception {
        assertEquals("live", Site.read(site.get("/health/live").body()).get("status").stringValue());
        assertEquals("ready", Site.read(site.get("/health/ready").body()).get("status").stringValue());
    }

    @Test
    void tokensGoThereAndBack() throws Exception {
        JsonNode t = site.ok("/tokenize", "{'content':'The capital of France','return_token_strs':true,'add_special_tokens':false}");
        assertEquals(t.get("count").intValue(), t.get("tokens").size());
        assertEquals(256, t.get("max_model_len").intValue());
        StringBuilder s = new StringBuilder();
        t.get("token_strs").forEach(x -> s.append(x.stringValue()));
        assertEquals("The capital of France", s.toString());
        assertEquals("The capital of France", site.ok("/detokenize", "{'tokens':" + t.get("tokens") + "}").get("prompt").stringValue());
        int chat = site.ok("/tokenize", "{'messages':[{'role':'user','content':'Hi'}]}").get("count").intValue();
        int usage = site.ok("/v1/chat/completions", "{'messages':[{'role':'user','content':'Hi'}],'max_tokens':1}").get("usage")
                .get("prompt_tokens").intValue();
        assertEquals(usage, chat);
    }

    @Test
    void describesItself() throws Exception {
        JsonNode d = Site.read(site.get("/openapi.json").body());
        assertEquals("3.1.0", d.get("openapi").stringValue());
        JsonNode chat = d.get("components").get("schemas").get("ChatCompletionRequest").get("properties");
        assertTrue(chat.has("logit_bias") && chat.has("messages") && !chat.has("audio"), chat.toString());
        d.get("paths").properties().forEach(e -> assertTrue(e.getValue().has("get") || e.getValue().has("post"), e.getKey()));
    }

    @Test
    void countsWhatItDoes() throws Exception {
        site.ok("/v1/completions", "{'prompt':'The capital of','max_tokens':5}");
        String figures = site.get("/metrics").body();
        for (String name : new String[] {"poot_http_requests_total{route=\"/v1/completions\",status=\"200\"}", "poot_time_to_first_token_seconds_bucket",
            "poot_inter_token_seconds_count", "poot_queue_seconds_sum", "poot_step_seconds_count", "poot_kv_blocks_total", "poot_ready 1",
            "poot_generations_total{end=\"length\"}", "poot_tokens_total{kind=\"generated\"}", "poot_weights_bytes"}) {
            assertTrue(figures.contains(name), name + " is not in\n" + figures);
        }
        figures.lines().filter(l -> !l.startsWith("#")).forEach(l -> assertTrue(l.matches("[a-z_]+(\\{.*\\})? [-+.0-9eE]+"), l));
    }

    @Test
    void everyAnswerHasANumberTheLogHasToo() throws Exception {
        HttpResponse<String> mine = site.get("/health/live", "x-request-id", "mine-1");
        assertEquals("mine-1", mine.headers().firstValue("x-request-id").orElse(""));
        String fresh = site.get("/nowhere", "x-request-id", "not sane\t").headers().firstValue("x-request-id").orElse("");
        assertTrue(fresh.startsWith("req-"), fresh);
        assertTrue(site.log().stream().anyMatch(l -> l.contains("\"request\":\"mine-1\"") && l.contains("\"status\":200")), site.log().toString());
        site.log().forEach(l -> assertTrue(Site.read(l).isObject()));
    }

    /** What a decoder embeds of a text does not depend on the texts beside it; scores it gives none, and it still chats. */
    @Test
    void aDecoderEmbedsToo() throws Exception {
        try (Site decoder = new Site(Site.DEMO, Site.SMALL.withEncodeTokens(64), ServerOptions.DEFAULT)) {
            JsonNode two = decoder.ok("/v1/embeddings", "{'input':['The capital of France','Once upon a time there was']}").get("data");
            for (int i = 0; i < 2; i++) {
                String text = i == 0 ? "The capital of France" : "Once upon a time there was";
                JsonNode one = decoder.ok("/v1/embeddings", "{'input':'" + text + "'}").get("data").get(0).get("embedding");
                assertTrue(one.size() > 100, one.size() + " dimensions");
                assertEquals(one, two.get(i).get("embedding"));
            }
            assertNotEquals(two.get(0).get("embedding"), two.get(1).get("embedding"));
            assertEquals(400, decoder.post("/v1/rerank", Site.json("{'query':'a','documents':['b']}")).statusCode());
            assertEquals("Hello! How can I help you?", decoder.ok("/v1/chat/completions",
                    "{'temperature':0,'messages':[{'role':'user','content':'Hello!'}]}").get("choices").get(0).get("message").get("content").stringValue());
        }
    }

    @Test
    void aDriverWithoutAnEncodePassGivesNoEmbeddings() throws Exception {
        for (String path : new String[] {"/v1/embeddings|{'input':'a'}", "/v1/rerank|{'query':'a','documents':['b']}"}) {
            HttpResponse<String> r = site.post(path.split("\\|")[0], Site.json(path.split("\\|")[1]));
            assertEquals(400, r.statusCode(), r.body());
            assertEquals("model", Site.read(r.body()).get("error").get("param").stringValue());
        }
    }

    /** Its tokenizer takes a blank off the beginning of a text; what goes on from a prompt is no such text. */
    @Test
    void aContinuationKeepsItsFirstBlank() throws Exception {
        try (Site stories = new Site(SharedData.require("models/stories260K/stories260K-f32.gguf"), Site.SMALL, ServerOptions.DEFAULT)) {
            String ask = "{'prompt':'Once upon','temperature':0,'max_tokens':2,'logprobs':%s,'echo':%b}";
            JsonNode bare = stories.ok("/v1/completions", ask.formatted("1", false)).get("choices").get(0);
            assertEquals(" a time", bare.get("text").stringValue());
            assertEquals(" a", bare.get("logprobs").get("tokens").get(0).stringValue());
            JsonNode echoed = stories.ok("/v1/completions", ask.formatted("null", true)).get("choices").get(0);
            assertEquals("Once upon a time", echoed.get("text").stringValue());
        }
    }

    @Test
    void embedsTexts() throws Exception {
        try (Site encoder = new Site(SharedData.require("models/all-MiniLM-L6-v2"), Site.SMALL, ServerOptions.DEFAULT)) {
            JsonNode two = encoder.ok("/v1/embeddings", "{'input':['a small cat','the stock market'],'encoding_format':'float','user':'u'}");
            JsonNode one = encoder.ok("/v1/embeddings", "{'input':'a small cat','encoding_format':'base64'}");
            JsonNode floats = two.get("data").get(0).get("embedding");
            ByteBuffer bytes = ByteBuffer.wrap(Base64.getDecoder().decode(one.get("data").get(0).get("embedding").stringValue()))
                    .order(ByteOrder.LITTLE_ENDIAN);
            assertEquals(floats.size() * 4, bytes.remaining());
            double square = 0;
            for (JsonNode x : floats) {
                assertEquals(x.floatValue(), bytes.getFloat(), 1e-5f);
                square += x.doubleValue() * x.doubleValue();
            }
            assertEquals(1, square, 1e-3);
            JsonNode cut = encoder.ok("/v1/embeddings", "{'input':'a small cat','dimensions':8}").get("data").get(0).get("embedding");
            assertEquals(8, cut.size());
            assertEquals(two.get("usage").get("prompt_tokens"), two.get("usage").get("total_tokens"));
            HttpResponse<String> chat = encoder.post("/v1/completions", Site.json("{'prompt':'a'}"));
            assertEquals(400, chat.statusCode(), chat.body());
            HttpResponse<String> rerank = encoder.post("/v1/rerank", Site.json("{'query':'a','documents':['b']}"));
            assertEquals(400, rerank.statusCode(), rerank.body());
            HttpResponse<String> wide = encoder.post("/v1/embeddings", Site.json("{'input':'a','dimensions':100000}"));
            assertEquals(400, wide.statusCode(), wide.body());
            HttpResponse<String> full = encoder.post("/v1/embeddings", Site.json("{'input':'" + "word ".repeat(500) + "'}"));
            assertEquals("context_length_exceeded", Site.read(full.body()).get("error").get("code").stringValue());
        }
    }

    @Test
    void ordersDocuments() throws Exception {
        try (Site ranker = new Site(SharedData.require("golden/bert-rank"), Site.SMALL, ServerOptions.DEFAULT)) {
            String documents = "'documents':['one two','three four five','six']";
            JsonNode a = ranker.ok("/v1/rerank", "{'query':'two'," + documents + ",'return_documents':true}");
            assertEquals(3, a.get("results").size());
            for (int i = 1; i < 3; i++) {
                assertTrue(a.get("results").get(i - 1).get("relevance_score").doubleValue() >= a.get("results").get(i).get("relevance_score").doubleValue());
            }
            JsonNode best = ranker.ok("/v1/rerank", "{'query':'two','documents':[{'text':'one two'},{'text':'three four five'},{'text':'six'}],'top_n':1}");
            assertEquals(1, best.get("results").size());
            assertEquals(a.get("results").get(0).get("score"), best.get("results").get(0).get("score"));
            assertEquals(400, ranker.post("/v1/embeddings", Site.json("{'input':'a'}")).statusCode());
        }
    }
}
