"""The openai package against a server: openai_client.py CHAT_URL MODEL TOOLS_URL MODEL EMBEDDINGS_URL MODEL"""
import asyncio
import json
import os
import sys
import traceback

import openai

chat_url, chat, tool_url, tool, embedding_url, embedding = sys.argv[1:7]
key = os.environ.get("POOT_TEST_KEY", "none")
client, calling, embedder = (openai.OpenAI(base_url=url + "/v1", api_key=key, max_retries=0, timeout=60)
                             for url in (chat_url, tool_url, embedding_url))
MESSAGES = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "What is the capital of France?"}]
QUESTION = [{"role": "user", "content": "What is the weather in Paris?"}]
WEATHER = {
    "name": "weather", "description": "The weather of a city.",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
}
TOOLS = [{"type": "function", "function": WEATHER}]


def models():
    assert chat in [m.id for m in client.models.list()]
    assert client.models.retrieve(chat).id == chat


def chat_():
    c = client.chat.completions.create(model=chat, messages=MESSAGES, max_tokens=12, temperature=0)
    assert c.choices[0].message.content and c.choices[0].finish_reason in ("stop", "length"), c


def usage():
    c = client.chat.completions.create(model=chat, messages=MESSAGES, max_completion_tokens=5, temperature=0)
    assert 0 < c.usage.completion_tokens <= 5 and c.usage.prompt_tokens > 0, c.usage
    assert c.usage.total_tokens == c.usage.prompt_tokens + c.usage.completion_tokens


def stream():
    whole = client.chat.completions.create(model=chat, messages=MESSAGES, max_tokens=12, temperature=0)
    text, counted = "", None
    for c in client.chat.completions.create(model=chat, messages=MESSAGES, max_tokens=12, temperature=0, stream=True,
                                            stream_options={"include_usage": True}):
        text += (c.choices[0].delta.content or "") if c.choices else ""
        counted = c.usage or counted
    assert text == whole.choices[0].message.content, (text, whole)
    assert counted.completion_tokens == whole.usage.completion_tokens


def abort():
    with client.chat.completions.create(model=chat, messages=MESSAGES, max_tokens=200, temperature=1, seed=1, stream=True) as s:
        next(iter(s))
    client.chat.completions.create(model=chat, messages=MESSAGES, max_tokens=1)


def concurrent():
    async def all_():
        async with openai.AsyncOpenAI(base_url=chat_url + "/v1", api_key=key, max_retries=0, timeout=60) as c:
            return await asyncio.gather(*[
                c.chat.completions.create(model=chat, messages=MESSAGES, max_tokens=8, temperature=0) for _ in range(8)])
    assert len({c.choices[0].message.content for c in asyncio.run(all_())}) == 1


def sampling():
    ask = dict(model=chat, messages=MESSAGES, max_tokens=12, temperature=1, top_p=0.9, seed=7, presence_penalty=0.5,
               frequency_penalty=0.5, stop="\n\n", user="someone", logit_bias={"5": -100},
               extra_body={"top_k": 40, "min_p": 0.01, "repetition_penalty": 1.1})
    texts = [client.chat.completions.create(**ask).choices[0].message.content for _ in range(2)]
    assert texts[0] == texts[1], texts
    assert [c.index for c in client.chat.completions.create(**ask, n=2).choices] == [0, 1]


def logprobs():
    c = client.chat.completions.create(model=chat, messages=MESSAGES, max_tokens=4, temperature=0, logprobs=True, top_logprobs=3)
    assert all(len(t.top_logprobs) == 3 and t.logprob <= 0 for t in c.choices[0].logprobs.content), c
    assert "".join(t.token for t in c.choices[0].logprobs.content).startswith(c.choices[0].message.content[:3])


def tools():
    first = calling.chat.completions.create(model=tool, messages=QUESTION, tools=TOOLS, temperature=0, max_tokens=200)
    call = first.choices[0].message.tool_calls[0]
    assert first.choices[0].finish_reason == "tool_calls" and call.function.name == "weather", first
    assert json.loads(call.function.arguments) == {"city": "Paris"}, call
    second = calling.chat.completions.create(model=tool, tools=TOOLS, temperature=0, max_tokens=200, messages=[
        *QUESTION, first.choices[0].message, {"role": "tool", "tool_call_id": call.id, "content": "18 degrees"}])
    assert "18 degrees" in second.choices[0].message.content, second
    none = calling.chat.completions.create(model=tool, messages=QUESTION, tools=TOOLS, tool_choice="none", temperature=0, max_tokens=50)
    assert not none.choices[0].message.tool_calls, none


def tools_streamed():
    name, arguments, reason = "", "", None
    for c in calling.chat.completions.create(model=tool, messages=QUESTION, tools=TOOLS, temperature=0, max_tokens=200, stream=True):
        for t in (c.choices[0].delta.tool_calls or []) if c.choices else []:
            name += t.function.name or ""
            arguments += t.function.arguments or ""
        reason = c.choices[0].finish_reason or reason if c.choices else reason
    assert (name, json.loads(arguments), reason) == ("weather", {"city": "Paris"}, "tool_calls"), (name, arguments, reason)


def completions():
    c = client.completions.create(model=chat, prompt="The capital of France is", max_tokens=6, temperature=0)
    parts = client.completions.create(model=chat, prompt="The capital of France is", max_tokens=6, temperature=0, stream=True)
    assert c.choices[0].text == "".join(p.choices[0].text for p in parts if p.choices)


def embeddings():
    packed = embedder.embeddings.create(model=embedding, input=["a cat", "a dog"])  # the package asks for base64
    plain = embedder.embeddings.create(model=embedding, input=["a cat", "a dog"], encoding_format="float")
    for a, b in zip(packed.data, plain.data, strict=True):
        assert len(a.embedding) == len(b.embedding) > 0
        assert all(abs(x - y) < 1e-6 for x, y in zip(a.embedding, b.embedding, strict=True))


def responses():
    ask = dict(model=chat, input="What is the capital of France?", max_output_tokens=16, temperature=0, store=False)
    r = client.responses.create(**ask)
    text = "".join(e.delta for e in client.responses.create(**ask, stream=True) if e.type == "response.output_text.delta")
    assert r.output_text and r.output_text == text, (r.output_text, text)


def responses_tools():
    declared = [{"type": "function", "strict": False, **WEATHER}]
    r = calling.responses.create(model=tool, input=QUESTION, tools=declared, temperature=0, max_output_tokens=200, store=False)
    call = next(o for o in r.output if o.type == "function_call")
    assert (call.name, json.loads(call.arguments)) == ("weather", {"city": "Paris"}), call
    s = calling.responses.create(model=tool, tools=declared, temperature=0, max_output_tokens=200, store=False, input=[
        *QUESTION, *r.output, {"type": "function_call_output", "call_id": call.call_id, "output": "18 degrees"}])
    assert "18 degrees" in s.output_text, s


def errors():
    def refused(kind, ask):
        try:
            ask()
        except kind as e:
            assert e.request_id and len(e.message) > 10, e
            return e
        raise AssertionError("was not refused")
    e = refused(openai.BadRequestError, lambda: client.chat.completions.create(model=chat, messages=MESSAGES, temperature=9))
    assert e.param == "temperature", e
    refused(openai.BadRequestError, lambda: client.chat.completions.create(model=chat, messages=MESSAGES, extra_body={"no_such_field": 1}))
    refused(openai.NotFoundError, lambda: client.chat.completions.create(model="no-such-model", messages=MESSAGES))


for check in (models, chat_, usage, stream, abort, concurrent, sampling, logprobs, tools, tools_streamed, completions, embeddings,
              responses, responses_tools, errors):
    try:
        check()
        line = {"feature": check.__name__.rstrip("_"), "ok": True, "why": ""}
    except Exception:  # whatever a check meets is what it reports
        line = {"feature": check.__name__.rstrip("_"), "ok": False, "why": traceback.format_exc()[-2000:]}
    print(json.dumps(line), flush=True)
