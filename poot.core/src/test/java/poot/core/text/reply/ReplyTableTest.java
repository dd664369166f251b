package poot.core.text.reply;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import poot.api.model.ModelConfig.ToolFormat;

/** What replies as models write them say, in each format, however they are cut. */
class ReplyTableTest {
    private static void says(ReplyFormat format, String prompt, String... table) {
        Random random = new Random(7);
        for (int i = 0; i < table.length; i += 2) {
            String reply = table[i];
            ReplyOptions options = Replies.options(prompt);
            assertEquals(table[i + 1], Replies.said(format, options, reply), reply);
            for (int n = 0; n < 20; n++) {
                List<String> pieces = Replies.split(reply, random);
                assertEquals(table[i + 1], Replies.said(format, options, pieces), () -> pieces.toString());
            }
        }
    }

    @Test
    void hermes() {
        says(Replies.format(ToolFormat.HERMES), "",
                "Hello there.\n", "T(Hello there.\n)",
                "<tool_call>\n{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\"}}\n</tool_call>",
                "C0(get_weather){\"city\": \"Paris\"}",
                "Let me look.\n\n<tool_call>\n{\"name\": \"get\", \"arguments\": {}}\n</tool_call>\n<tool_call>\n"
                        + "{\"arguments\": {\"n\": 1}, \"name\": \"now\"}\n</tool_call>\n",
                "T(Let me look.) C0(get){} C1(now){\"n\": 1}",
                "<think>\nWhich <tool_call>?\n</think>\n\n<tool_call>{\"name\": \"now\"}</tool_call>",
                "R(Which <tool_call>?) C0(now){}",
                "<tool_call>{\"name\":\"get\",\"arguments\":\"{\\\"n\\\": 1, \\\"s\\\": \\\"a\\\\nb\\\"}\"}</tool_call>",
                "C0(get){\"n\": 1, \"s\": \"a\\nb\"}",
                "<tool_call>{\"type\":\"function\",\"function\":{\"name\":\"get\",\"arguments\":{}}}</tool_call> done",
                "C0(get){} T(done)",
                "<tool_call>{\"name\": \"get\", \"arguments\": {}}\n{\"name\": \"now\", \"arguments\": {}}</tool_call>",
                "C0(get){} C1(now){}",
                "<tool_call>{\"id\": \"a\\u0062\", \"name\": \"get\", \"arguments\": {\"city\": \"</tool_call>\"}}</tool_call>",
                "C0(get,ab){\"city\": \"</tool_call>\"}");
    }

    @Test
    void hermesThatIsMalformed() {
        says(Replies.format(ToolFormat.HERMES), "",
                "a <tool_call>b</tool_call> c", "T(a <tool_call>b</tool_call> c)",
                "<tool_call>{\"name\": \"rm\", \"arguments\": {}}</tool_call>",
                "T(<tool_call>{\"name\": \"rm\", \"arguments\": {}}</tool_call>)",
                "x <tool_call", "T(x <tool_call)",
                "x  \n<tool_call>\n ", "T(x  \n<tool_call>\n )",
                "<tool_call>{\"name\": \"get\", \"argu", "T(<tool_call>{\"name\": \"get\", \"argu)",
                "<tool_call>{\"name\": \"get\", \"arguments\": {\"a\": [1, ", "C0(get){\"a\": [1, !",
                "<tool_call>{\"name\": \"get\", \"arguments\": {\"a\": 1]}} </tool_call> so", "C0(get){\"a\": 1]}}! T(so)",
                "<tool_call>{\"name\": \"get\", \"arguments\": {}} and so on", "C0(get){} T( and so on)",
                "<tool_call>{\"name\": \"get\", \"arguments\": {}}</tool", "C0(get){} T(</tool)",
                "<tool_call>{\"arguments\": {\"a\": 1}}</tool_call>", "T(<tool_call>{\"arguments\": {\"a\": 1}}</tool_call>)",
                "<tool_call>{\"name\": \"get\", \"arguments\": 5}</tool_call>",
                "T(<tool_call>{\"name\": \"get\", \"arguments\": 5}</tool_call>)",
                "<tool_call><tool_call>{\"name\": \"now\"}</tool_call>", "T(<tool_call>) C0(now){}",
                "The tag <think> is text here", "T(The tag <think> is text here)");
    }

    @Test
    void parametersAsTags() {
        says(Replies.format(ToolFormat.HERMES), "",
                "<tool_call>\n<function=get_weather>\n<parameter=city>\nPa\n\"ris\n</parameter>\n<parameter=n>\n 3\n</parameter>\n"
                        + "<parameter=deep>\n{\"a\": [1]}\n</parameter>\n<parameter=on>\nTrue\n</parameter>\n</function>\n</tool_call>",
                "C0(get_weather){\"city\": \"Pa\\n\\\"ris\", \"n\": 3, \"deep\": {\"a\": [1]}, \"on\": true}",
                "<tool_call>\n<function=now>\n</function>\n</tool_call>", "C0(now){}",
                "<tool_call>\n<function=get>\n<parameter=n>\nthree\n</parameter>\n</function>\n</tool_call>",
                "C0(get){\"n\": \"three\"}",
                "<tool_call>\n<function=nope>\n</function>\n</tool_call>", "T(<tool_call>\n<function=nope>\n</function>\n</tool_call>)",
                "<tool_call>\n<function=get>\n<parameter=city>\nPar", "C0(get){\"city\": \"Par!",
                "<tool_call>\n<function=get>\nstray text</function>", "C0(get){}! T(\nstray text</function>)",
                "<tool_call>get_weather<arg_key>city</arg_key>\n<arg_value>Paris</arg_value>\n<arg_key>n</arg_key>"
                        + "<arg_value>21</arg_value></tool_call><tool_call>now</tool_call>",
                "C0(get_weather){\"city\": \"Paris\", \"n\": 21} C1(now){}");
    }

    @Test
    void llama3() {
        says(Replies.format(ToolFormat.LLAMA3), "",
                "{\"name\": \"get_weather\", \"parameters\": {\"city\": \"Paris\"}}", "C0(get_weather){\"city\": \"Paris\"}",
                "\n\n{\"type\": \"function\", \"name\": \"now\", \"parameters\": {}}", "C0(now){}",
                "{\"type\": \"function\", \"function\": \"now\", \"parameters\": {}}", "C0(now){}",
                "{\"name\": \"get\", \"parameters\": {}}; {\"name\": \"now\", \"parameters\": {\"n\": 2}}",
                "C0(get){} C1(now){\"n\": 2}",
                "<|python_tag|>{\"name\": \"get\", \"parameters\": {\"n\": \"}\"}}", "C0(get){\"n\": \"}\"}",
                "<|python_tag|>print(1)", "T(<|python_tag|>print(1))",
                "<function=get_weather>{\"city\": \"Paris\"}</function>", "C0(get_weather){\"city\": \"Paris\"}",
                "I will. <function=get>{\"n\": 1}</function>\nThen.", "T(I will.) C0(get){\"n\": 1} T(Then.)",
                "<function=drop>{}</function>", "T(<function=drop>{}</function>)",
                "{\"name\": \"Ada\", \"born\": 1815}", "T({\"name\": \"Ada\", \"born\": 1815})",
                "  {\"born\": 1815}", "T(  {\"born\": 1815})",
                "Sure: {\"name\": \"get\", \"parameters\": {}}", "T(Sure: {\"name\": \"get\", \"parameters\": {}})",
                "{\"name\": \"get\", \"parameters\": {}} is the call", "C0(get){} T( is the call)",
                "{", "T({)",
                "{\"name\": \"get\", \"parameters\": {\"a\": ", "C0(get){\"a\": !");
    }

    @Test
    void mistral() {
        says(Replies.format(ToolFormat.MISTRAL), "",
                "[TOOL_CALLS] [{\"name\": \"get_weather\", \"arguments\": {\"city\": \"Paris\"}, \"id\": \"abcdef123\"}, "
                        + "{\"name\": \"now\", \"arguments\": {}}]",
                "C0(get_weather){\"city\": \"Paris\"} C1(now){}",
                "[TOOL_CALLS]get_weather[ARGS]{\"city\": \"Paris\"}[TOOL_CALLS]now[ARGS]{}",
                "C0(get_weather){\"city\": \"Paris\"} C1(now){}",
                "[TOOL_CALLS]get[CALL_ID]abcdef123[ARGS]{\"n\": 1}", "C0(get,abcdef123){\"n\": 1}",
                "[TOOL_CALLS]get_weather{\"city\": \"Paris\"}", "C0(get_weather){\"city\": \"Paris\"}",
                "[THINK]", "T([THINK])",
                "Some [TOOLS] and [TOOL_CALLS]", "T(Some [TOOLS] and [TOOL_CALLS])",
                "[TOOL_CALLS]got[ARGS]{}", "T([TOOL_CALLS]got[ARGS]{})",
                "[TOOL_CALLS][1, 2]", "T([TOOL_CALLS][1, 2])",
                "[TOOL_CALLS][]", "T([TOOL_CALLS][])");
        says(Replies.withToken("[THINK]"), "", "[THINK]Hm.[/THINK]Yes.", "R(Hm.) T(Yes.)");
    }

    @Test
    void deepseek() {
        says(Replies.format(ToolFormat.DEEPSEEK), "",
                "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{\"city\": \"Paris\"}\n```"
                        + "<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>now\n```json\n{}\n```<｜tool▁call▁end｜>"
                        + "<｜tool▁calls▁end｜>",
                "C0(get_weather){\"city\": \"Paris\"} C1(now){}",
                "So.<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{\"city\": \"Paris\"}<｜tool▁call▁end｜>"
                        + "<｜tool▁calls▁end｜>",
                "T(So.) C0(get_weather){\"city\": \"Paris\"}",
                "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"get\">\n<｜DSML｜parameter name=\"city\" string=\"true\">Paris"
                        + "</｜DSML｜parameter>\n<｜DSML｜parameter name=\"n\" string=\"false\">3</｜DSML｜parameter>\n</｜DSML｜invoke>\n"
                        + "</｜DSML｜function_calls>",
                "C0(get){\"city\": \"Paris\", \"n\": 3}",
                "<｜tool▁call▁begin｜>function<｜tool▁sep｜>x\n```json\n{}\n```<｜tool▁call▁end｜>",
                "T(<｜tool▁call▁begin｜>function<｜tool▁sep｜>x\n```json\n{}\n```<｜tool▁call▁end｜>)",
                "<｜tool▁call▁begin｜>now<｜tool▁sep｜>{", "C0(now){!");
        says(Replies.format(ToolFormat.DEEPSEEK), "<｜User｜>Hi<｜Assistant｜><think>\n",
                "\nHm, <think> again.\n</think>\n\nHello", "R(Hm, <think> again.) T(Hello)",
                "Hm.", "R(Hm.)",
                "Hm.</thi", "R(Hm.</thi)",
                "</think>\n\nHello", "T(Hello)");
        says(Replies.format(ToolFormat.DEEPSEEK), "<｜User｜>Hi<｜Assistant｜><think></think>", "Hello", "T(Hello)");
    }

    @Test
    void harmony() {
        says(Replies.format(ToolFormat.HARMONY), "<|start|>user<|message|>Hi<|end|><|start|>assistant",
                "<|channel|>analysis<|message|>Hm. <|end|><|start|>assistant<|channel|>final<|message|>Hello <b><|return|>",
                "R(Hm. ) T(Hello <b>)",
                "<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{\"city\":\"Paris\"}<|call|>",
                "C0(get_weather){\"city\":\"Paris\"}",
                " to=functions.get<|channel|>commentary json<|message|>{\"n\":1}", "C0(get){\"n\":1}",
                "<|channel|>commentary<|message|>I look.<|end|><|start|>assistant<|channel|>commentary to=functions.now"
                        + "<|message|>{}<|end|><|start|>assistant to=functions.get<|channel|>commentary<|message|> {}\n<|call|>",
                "T(I look.) C0(now){} C1(get){}",
                "<|channel|>commentary to=functions.rm<|message|>{}<|call|>",
                "T(<|channel|>commentary to=functions.rm<|message|>{}<|call|>)",
                "Hello <|end|>", "T(Hello )",
                "<|channel|>final<|message|>cut <|en", "T(cut <|en)",
                "<|channel|>fin", "T(<|channel|>fin)",
                "<|channel|>commentary to=functions.get<|message|>{\"a\":", "C0(get){\"a\":!");
        says(Replies.format(ToolFormat.HARMONY), "<|start|>assistant<|channel|>analysis<|message|>",
                "Hm.<|end|><|start|>assistant<|channel|>final<|message|>Yes", "R(Hm.) T(Yes)");
        says(Replies.format(ToolFormat.HARMONY), "", "<|start|>assistant<|channel|>final<|message|>Yes", "T(Yes)",
                "plain <|text", "T(plain <|text)");
    }

    @Test
    void others() {
        says(Replies.withToken("<|tool_call_begin|>"), "",
                "<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>"
                        + "{\"city\": \"Paris\"}<|tool_call_end|><|tool_call_begin|>functions.now:1<|tool_call_argument_begin|>{}"
                        + "<|tool_call_end|><|tool_calls_section_end|>",
                "C0(get_weather,functions.get_weather:0){\"city\": \"Paris\"} C1(now,functions.now:1){}");
        says(Replies.withToken("<|START_ACTION|>"), "",
                "<|START_ACTION|>[\n    {\"tool_call_id\": \"0\", \"tool_name\": \"get\", \"parameters\": {\"n\": 1}}\n]<|END_ACTION|>",
                "C0(get,0){\"n\": 1}",
                "Action:\n```json\n[\n    {\n        \"tool_name\": \"now\",\n        \"parameters\": {}\n    }\n]```", "C0(now){}");
        says(Replies.withToken("<|tools_prefix|>"), "",
                "<|tools_prefix|>[{\"get_weather\": {\"city\": \"Paris\"}}, {\"now\": {}}]<|tools_suffix|>",
                "C0(get_weather){\"city\": \"Paris\"} C1(now){}");
        says(Replies.withToken("<|tool_call|>"), "",
                "<|tool_call|>[{\"name\": \"get\", \"arguments\": {\"n\": 1}}]<|/tool_call|>", "C0(get){\"n\": 1}");
        says(Replies.withToken("<invoke name=\""), "",
                "<minimax:tool_call>\n<invoke name=\"get\">\n<parameter name=\"city\">Paris</parameter>\n</invoke>\n"
                        + "<invoke name=\"now\">\n</invoke>\n</minimax:tool_call>",
                "C0(get){\"city\": \"Paris\"} C1(now){}");
    }

    @Test
    void whatIsNotAskedForStaysText() {
        ReplyFormat f = Replies.format(ToolFormat.HERMES);
        String reply = "<think>Hm.</think> \n<tool_call>{\"name\": \"now\"}</tool_call> \n";
        assertEquals("R(Hm.) T(<tool_call>{\"name\": \"now\"}</tool_call> \n)",
                Replies.said(f, new ReplyOptions(Replies.TOOLS, false, true, ""), reply));
        assertEquals("T(<think>Hm.</think>) C0(now){}", Replies.said(f, new ReplyOptions(Replies.TOOLS, true, false, ""), reply));
        assertEquals("T(" + reply + ")", Replies.said(f, new ReplyOptions(List.of(), true, false, ""), reply));
        assertEquals("T(" + reply + ")", Replies.said(ReplyFormat.plain(), Replies.options(""), reply));
    }
}
