package poot.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Responses, whole and as events. */
class ResponsesApiTest {
    private static final String PATH = "/v1/responses";

    private static Site site;

    @BeforeAll
    static void open() throws Exception {
        site = Site.demo();
    }

    @AfterAll
    static void close() {
        site.close();
    }

    private static List<JsonNode> events(String body) throws Exception {
        HttpResponse<String> r = site.post(PATH, Site.json(body));
        assertEquals(200, r.statusCode(), r.body());
        List<JsonNode> out = new ArrayList<>();
        for (String event : r.body().split("\n\n")) {
            if (event.startsWith(":")) {
                continue;
            }
            String[] lines = event.split("\n");
            JsonNode data = Site.read(lines[1].substring("data: ".length()));
            assertEquals("event: " + data.get("type").stringValue(), lines[0]);
            assertEquals(out.size(), data.get("sequence_number").intValue());
            out.add(data);
        }
        return out;
    }

    private static String text(JsonNode response) {
        return response.get("output").get(0).get("content").get(0).get("text").stringValue();
    }

    @Test
    void answersText() throws Exception {
        JsonNode r = site.ok(PATH, "{'model':'poot-tiny','input':'What is the capital of France?','temperature':0}");
        assertEquals("response", r.get("object").stringValue());
        assertEquals("completed", r.get("status").stringValue());
        assertEquals("The capital of France is Paris.", text(r));
        assertEquals(r.get("usage").get("total_tokens").intValue(),
                r.get("usage").get("input_tokens").intValue() + r.get("usage").get("output_tokens").intValue());
        JsonNode cut = site.ok(PATH, "{'input':'What is the capital of France?','max_output_tokens':2,'temperature':0}");
        assertEquals("incomplete", cut.get("status").stringValue());
        assertEquals("max_output_tokens", cut.get("incomplete_details").get("reason").stringValue());
    }

    @Test
    void takesItems() throws Exception {
        String items = "[{'role':'user','content':[{'type':'input_text','text':'Hello!'}]},"
                + "{'type':'message','id':'msg_1','status':'completed','role':'assistant','content':[{'type':'output_text','text':'Hi.','annotations':[]}]},"
                + "{'role':'user','content':'What is the capital of France?'}]";
        JsonNode r = site.ok(PATH, "{'input':" + items + ",'instructions':'Be brief.','temperature':0,'store':false,'metadata':{'a':'b'}}");
        int usage = r.get("usage").get("input_tokens").intValue();
        assertEquals("Be brief.", r.get("instructions").stringValue());
        assertEquals("b", r.get("metadata").get("a").stringValue());
        int counted = site.ok("/tokenize", "{'messages':[{'role':'system','content':'Be brief.'},{'role':'user','content':'Hello!'},"
                + "{'role':'assistant','content':'Hi.'},{'role':'user','content':'What is the capital of France?'}]}").get("count").intValue();
        assertEquals(counted, usage);
    }

    @Test
    void streamsTheSame() throws Exception {
        String ask = "{'input':'What is the capital of France?','temperature':0";
        JsonNode whole = site.ok(PATH, ask + "}");
        List<JsonNode> events = events(ask + ",'stream':true}");
        List<String> types = events.stream().map(e -> e.get("type").stringValue()).distinct().toList();
        assertEquals(List.of("response.created", "response.in_progress", "response.output_item.added", "response.content_part.added",
                "response.output_text.delta", "response.output_text.done", "response.content_part.done", "response.output_item.done",
                "response.completed"), types);
        StringBuilder text = new StringBuilder();
        events.stream().filter(e -> e.has("delta")).forEach(e -> text.append(e.get("delta").stringValue()));
        assertEquals(text(whole), text.toString());
        JsonNode last = events.getLast().get("response");
        assertEquals(text(whole), text(last));
        assertEquals(whole.get("usage").get("output_tokens"), last.get("usage").get("output_tokens"));
    }

    @Test
    void refusesWhatNeedsAStoreOrMore() throws Exception {
        for (String field : List.of("'previous_response_id':'resp_1'", "'store':true", "'background':true", "'conversation':'c'", "'truncation':'auto'",
                "'include':['reasoning.encrypted_content']", "'text':{'format':{'type':'json_schema','name':'a','schema':{}}}",
                "'tools':[{'type':'web_search'}]", "'tool_choice':'required'", "'max_output_tokens':0", "'stream_options':{}", "'unknown':1",
                "'input':[{'type':'item_reference','id':'a'}]", "'input':[{'role':'user','content':[{'type':'input_image','image_url':'a'}]}]")) {
            String body = field.startsWith("'input'") ? "{" + field + "}" : "{'input':'a'," + field + "}";
            HttpResponse<String> r = site.post(PATH, Site.json(body));
            assertEquals(400, r.statusCode(), body + r.body());
            assertTrue(Site.read(r.body()).get("error").get("param").isString(), body + r.body());
        }
    }
}
