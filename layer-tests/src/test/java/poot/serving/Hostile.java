package poot.serving;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Requests no client should send, by name. */
final class Hostile {
    private static final String ASK = "'messages':[{'role':'user','content':'Hi'}]";

    /** Bytes on a connection of their own; {@code halfClosed} ends the sending side after them. */
    record Raw(String name, byte[] bytes, boolean halfClosed) {}

    /** A body for a path. */
    record Posted(String path, String body) {}

    private Hostile() {}

    /** Bodies that have to be answered 4xx in the error shape. */
    static List<Posted> bodies() {
        List<Posted> out = new ArrayList<>();
        String chat = "/v1/chat/completions";
        for (String field : List.of("'temperature':'hot'", "'temperature':-1", "'temperature':2.1", "'temperature':1e999", "'temperature':[]",
                "'top_p':2", "'top_p':-0.1", "'top_p':true", "'top_k':-2", "'top_k':1.5", "'top_k':99999999999", "'min_p':7",
                "'repetition_penalty':0", "'repetition_penalty':-1", "'presence_penalty':3", "'frequency_penalty':-3", "'frequency_penalty':'x'",
                "'n':0", "'n':-1", "'n':1000000", "'n':1.5", "'n':'2'", "'seed':1.5", "'seed':99999999999999999999", "'seed':'a'",
                "'max_tokens':0", "'max_tokens':-5", "'max_tokens':1e3", "'max_tokens':99999999999", "'max_completion_tokens':'9'",
                "'stop':5", "'stop':[5]", "'stop':['']", "'stop':''", "'stop':[['a']]", "'stop':" + "a".repeat(0) + "'" + "x".repeat(300) + "'",
                "'stop':[" + "'a',".repeat(20) + "'b']", "'logit_bias':[]", "'logit_bias':{'a':1}", "'logit_bias':{'5':'x'}",
                "'logit_bias':{'5':101}", "'logit_bias':{'-1':1}", "'logit_bias':{'99999999':1}", "'logit_bias':{'4294967295':1}",
                "'logit_bias':{'+5':1}", "'logit_bias':{'05':1}", "'logit_bias':{'\u0663':1}", "'logit_bias':{'':1}",
                "'logprobs':5", "'top_logprobs':3", "'logprobs':true,'top_logprobs':21", "'logprobs':true,'top_logprobs':-1",
                "'stream':'yes'", "'stream':1", "'stream_options':{'include_usage':true}", "'stream':true,'stream_options':{'x':1}",
                "'stream':true,'stream_options':[]", "'tools':{}", "'tools':[1]", "'tools':[{'type':'function'}]",
                "'tools':[{'type':'retrieval','function':{'name':'a'}}]", "'tools':[{'type':'function','function':{'name':'a','strict':true}}]",
                "'tools':[{'type':'function','function':{'name':5}}]", "'tool_choice':'required'", "'tool_choice':'auto'",
                "'tool_choice':{'type':'function','function':{'name':'a'}}", "'parallel_tool_calls':'no'", "'response_format':'json'",
                "'response_format':{'type':'json_object'}", "'response_format':{'type':'json_schema','json_schema':{}}", "'response_format':{}",
                "'functions':[]", "'function_call':'auto'", "'audio':{}", "'prediction':{'type':'content','content':'a'}",
                "'web_search_options':{}", "'store':true", "'service_tier':'flex'", "'modalities':['audio']", "'verbosity':'high'",
                "'reasoning_effort':'extreme'", "'metadata':{'a':5}", "'metadata':'x'", "'user':5", "'model':'other'", "'model':5",
                "'unknown':1", "'Messages':[]", "'chat_template_kwargs':[]", "'" + "f".repeat(200) + "':1", "'ignore_eos':0")) {
            out.add(new Posted(chat, "{" + ASK + "," + field + "}"));
        }
        for (String messages : List.of("[]", "{}", "'hi'", "null", "5", "[5]", "[null]", "[{}]", "[{'role':'user'}]", "[{'role':'robot','content':'a'}]",
                "[{'role':5,'content':'a'}]", "[{'role':'user','content':null}]", "[{'role':'user','content':5}]", "[{'role':'user','content':{}}]",
                "[{'role':'user','content':[5]}]", "[{'role':'user','content':[{'type':'text'}]}]",
                "[{'role':'user','content':[{'type':'image_url','image_url':{'url':'http://x'}}]}]",
                "[{'role':'user','content':[{'type':'text','text':'a','x':1}]}]", "[{'role':'user','content':'a','x':1}]",
                "[{'role':'user','content':'\\ud800'}]", "[{'role':'tool','content':'a'}]", "[{'role':'tool','tool_call_id':5,'content':'a'}]",
                "[{'role':'assistant','function_call':{}}]", "[{'role':'assistant','content':'a','tool_calls':[{'id':'a'}]}]",
                "[{'role':'assistant','content':'a','tool_calls':[{'id':'a','function':{'name':'b','arguments':{}}}]}]",
                "[{'role':'user','content':'" + "long ".repeat(2000) + "'}]")) {
            out.add(new Posted(chat, "{'messages':" + messages + "}"));
        }
        for (String body : List.of("", " ", "[]", "5", "null", "'a'", "{", "}", "{'messages'", "{'messages':}", "{" + ASK + "}x", "{" + ASK + "}{}",
                "{" + ASK + "," + ASK + "}", "{" + ASK + ",}", "nul", "\u0000", "{'a':01}", "{'a':+1}", "{'a':.5}", "{'a':NaN}", "{'a':Infinity}",
                "{a:1}", "{'a':'\t'}", "{'a':'\\x'}", "/**/{}", "{'a':" + "9".repeat(100) + "}", "[".repeat(5000), "{'a':".repeat(500),
                "[" + "1,".repeat(1_100_000) + "1]")) {
            out.add(new Posted(chat, body));
        }
        for (String field : List.of("'prompt':null", "'prompt':5", "'prompt':[]", "'prompt':{}", "'prompt':[[]]", "'prompt':[[],[1]]",
                "'prompt':['a',5]", "'prompt':[1,'a']", "'prompt':[-1]", "'prompt':[99999999]", "'prompt':[1.5]", "'prompt':[[1],[99999999]]",
                "'prompt':'a','best_of':2,'stream':true", "'prompt':'a','best_of':2,'n':3", "'prompt':'a','best_of':17", "'prompt':'a','best_of':0",
                "'prompt':['a','b','c','d','e','f','g','h','i'],'best_of':16", "'prompt':'a','suffix':'b'", "'prompt':'a','logprobs':true",
                "'prompt':'a','logprobs':99",
                "'prompt':'a','echo':true,'logprobs':1", "'prompt':'a','messages':[]", "'prompt':['a','b','c','d','e','f','g','h','i'],'n':16",
                "'prompt':'" + "word ".repeat(3000) + "'")) {
            out.add(new Posted("/v1/completions", "{" + field + "}"));
        }
        out.add(new Posted("/tokenize", "{}"));
        out.add(new Posted("/tokenize", "{'prompt':'a','content':'a'}"));
        out.add(new Posted("/tokenize", "{'prompt':'a','tools':[]}"));
        out.add(new Posted("/detokenize", "{'tokens':[99999999]}"));
        out.add(new Posted("/detokenize", "{'tokens':[-1]}"));
        out.add(new Posted("/detokenize", "{'tokens':'a'}"));
        out.add(new Posted("/v1/embeddings", "{'input':[]}"));
        out.add(new Posted("/v1/rerank", "{'query':'a','documents':[]}"));
        return out;
    }

    /** Bytes that have to be answered 4xx in the error shape, or by the end of the connection. */
    static List<Raw> connections() {
        List<Raw> out = new ArrayList<>();
        String host = "Host: a\r\n";
        String post = "POST /v1/chat/completions HTTP/1.1\r\n" + host + "Content-Type: application/json\r\n";
        String get = "GET /health/live HTTP/1.1\r\n";
        add(out, "garbage", "\0\1\2\3\r\n\r\n");
        add(out, "no version", "GET /\r\n\r\n");
        add(out, "preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
        add(out, "HTTP/9.9", "GET /health/live HTTP/9.9\r\n" + host + "\r\n");
        add(out, "HTTP/1.0", "GET /health/live HTTP/1.0\r\n\r\n");
        add(out, "long path", "GET /" + "a".repeat(20_000) + " HTTP/1.1\r\n" + host + "\r\n");
        add(out, "many headers", get + host + "x: y\r\n".repeat(10_000) + "\r\n");
        add(out, "long header", get + host + "x: " + "y".repeat(100_000) + "\r\n\r\n");
        add(out, "no host", get + "\r\n");
        add(out, "two hosts", get + host + host + "\r\n");
        add(out, "header without colon", get + host + "bad\r\n\r\n");
        add(out, "blank before colon", get + host + "x : y\r\n\r\n");
        add(out, "folded header", get + host + "x: y\r\n z\r\n\r\n");
        add(out, "NUL in header", get + host + "x: \0\r\n\r\n");
        add(out, "bare LF", "GET /health/live HTTP/1.1\nHost: a\n\n");
        add(out, "bare CR", "GET /health/live HTTP/1.1\rHost: a\r\r");
        add(out, "bad escape in path", "GET /%zz HTTP/1.1\r\n" + host + "\r\n");
        add(out, "bad escape in query", "GET /health/live?%zz=%% HTTP/1.1\r\n" + host + "\r\n");
        add(out, "path out of the root", "GET /../../etc/passwd HTTP/1.1\r\n" + host + "\r\n");
        add(out, "NUL in path", "GET /%00 HTTP/1.1\r\n" + host + "\r\n");
        add(out, "connect", "CONNECT a:80 HTTP/1.1\r\n" + host + "\r\n");
        add(out, "trace", "TRACE / HTTP/1.1\r\n" + host + "\r\n");
        add(out, "options", "OPTIONS * HTTP/1.1\r\n" + host + "\r\n");
        add(out, "unknown method", "BREW /v1/models HTTP/1.1\r\n" + host + "\r\n");
        add(out, "method of other signs", "FOO{} /v1/models HTTP/1.1\r\n" + host + "\r\n");
        add(out, "negative length", post + "Content-Length: -1\r\n\r\n");
        add(out, "length of letters", post + "Content-Length: abc\r\n\r\n");
        add(out, "huge length", post + "Content-Length: 99999999999999999999\r\n\r\n{");
        add(out, "two lengths", post + "Content-Length: 3\r\nContent-Length: 4\r\n\r\n{}{}");
        add(out, "length and chunks", post + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
        add(out, "body above the bound", post + "Content-Length: 9000000\r\n\r\n{");
        add(out, "body above the bound, asked for first", post + "Expect: 100-continue\r\nContent-Length: 9000000\r\n\r\n");
        add(out, "chunk size of letters", post + "Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n");
        add(out, "chunk extension", post + "Transfer-Encoding: chunked\r\n\r\n5;a=b\r\nabcde\r\n0\r\n\r\n");
        add(out, "negative chunk", post + "Transfer-Encoding: chunked\r\n\r\n-5\r\nabcde\r\n0\r\n\r\n");
        add(out, "chunk beyond 64 bits", post + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\nabc");
        add(out, "chunk that never comes", post + "Transfer-Encoding: chunked\r\n\r\n7fffffff\r\nabc");
        add(out, "unknown transfer encoding", post + "Transfer-Encoding: gzip\r\n\r\nabc");
        add(out, "encoded body", post + "Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc");
        add(out, "form", "POST /v1/chat/completions HTTP/1.1\r\n" + host + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\na=b");
        add(out, "no type", "POST /v1/chat/completions HTTP/1.1\r\n" + host + "Content-Length: 2\r\n\r\n{}");
        add(out, "no body", post + "\r\n");
        add(out, "delete", "DELETE /v1/models/poot-tiny HTTP/1.1\r\n" + host + "\r\n");
        add(out, "TLS hello", "\u0016\3\1\2\0\1\0\1\u00fc\3\3" + "a".repeat(64));
        add(out, "slow head", "GET /health/live HTTP/1.1\r\nHost:");
        add(out, "slow body", post + "Content-Length: 50\r\n\r\n{\"mess");
        add(out, "second of a pipeline is garbage", post + "Content-Length: 2\r\n\r\n{}\0\0\r\n\r\n");
        add(out, "second of a pipeline has a method of other signs", "DELETE /health/live HTTP/1.1\r\n" + host + "\r\nFOO{} / HTTP/1.1\r\n" + host + "\r\n");
        byte[] invalid = (post + "Content-Length: 12\r\n\r\n{\"a\": \"\u00ff\u00fe\"}").getBytes(StandardCharsets.ISO_8859_1);
        out.add(new Raw("invalid UTF-8", invalid, false));
        byte[] overlong = (post + "Content-Length: 11\r\n\r\n{\"a\":\"\u00c0\u0080\"}").getBytes(StandardCharsets.ISO_8859_1);
        out.add(new Raw("overlong UTF-8", overlong, false));
        out.add(new Raw("half closed in the head", bytes(get + "Ho"), true));
        out.add(new Raw("half closed in the body", bytes(post + "Content-Length: 100\r\n\r\n{\"a\""), true));
        out.add(new Raw("half closed in a chunk", bytes(post + "Transfer-Encoding: chunked\r\n\r\n9\r\n{\"a\""), true));
        out.add(new Raw("nothing at all", new byte[0], true));
        return out;
    }

    private static void add(List<Raw> out, String name, String text) {
        out.add(new Raw(name, bytes(text), false));
    }

    private static byte[] bytes(String s) {
        return s.getBytes(StandardCharsets.ISO_8859_1);
    }
}
