// The openai package against a server: openai.mjs CHAT_URL MODEL TOOLS_URL MODEL EMBEDDINGS_URL MODEL
import OpenAI from 'openai'
import { check, run, same } from './features.mjs'

const [chatUrl, chat, toolUrl, tool, embeddingUrl, embedding] = process.argv.slice(2)
const at = url => new OpenAI({ baseURL: url + '/v1', apiKey: process.env.POOT_TEST_KEY ?? 'none', maxRetries: 0, timeout: 60000 })
const [client, calling, embedder] = [chatUrl, toolUrl, embeddingUrl].map(at)
const messages = [{ role: 'system', content: 'Be brief.' }, { role: 'user', content: 'What is the capital of France?' }]
const tools = [{
  type: 'function',
  function: {
    name: 'weather', description: 'The weather of a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}]
const question = [{ role: 'user', content: 'What is the weather in Paris?' }]

await run({
  models: async () => {
    const ids = []
    for await (const m of client.models.list()) ids.push(m.id)
    check(ids.includes(chat), `models lists ${ids}`)
    same(chat, (await client.models.retrieve(chat)).id, 'retrieved')
  },
  chat: async () => {
    const c = await client.chat.completions.create({ model: chat, messages, max_tokens: 12, temperature: 0 })
    check(c.choices[0].message.content.length > 0, 'no text')
    check(['stop', 'length'].includes(c.choices[0].finish_reason), c.choices[0].finish_reason)
    same('assistant', c.choices[0].message.role, 'role')
  },
  usage: async () => {
    const c = await client.chat.completions.create({ model: chat, messages, max_tokens: 5, temperature: 0 })
    check(c.usage.prompt_tokens > 0 && c.usage.completion_tokens > 0 && c.usage.completion_tokens <= 5, JSON.stringify(c.usage))
    same(c.usage.prompt_tokens + c.usage.completion_tokens, c.usage.total_tokens, 'total')
  },
  stream: async () => {
    const whole = await client.chat.completions.create({ model: chat, messages, max_tokens: 12, temperature: 0 })
    const stream = await client.chat.completions.create(
      { model: chat, messages, max_tokens: 12, temperature: 0, stream: true, stream_options: { include_usage: true } })
    let text = ''
    let usage = null
    let reason = null
    for await (const c of stream) {
      text += c.choices[0]?.delta?.content ?? ''
      reason = c.choices[0]?.finish_reason ?? reason
      usage = c.usage ?? usage
    }
    same(whole.choices[0].message.content, text, 'streamed text')
    same(whole.choices[0].finish_reason, reason, 'reason')
    same(whole.usage.completion_tokens, usage?.completion_tokens, 'usage')
  },
  abort: async () => {
    const stream = await client.chat.completions.create({ model: chat, messages, max_tokens: 200, temperature: 1, seed: 1, stream: true })
    for await (const c of stream) {
      if (c.choices[0]?.delta?.content) break
    }
    stream.controller.abort()
    await client.chat.completions.create({ model: chat, messages, max_tokens: 1 })
  },
  sampling: async () => {
    const ask = { model: chat, messages, max_tokens: 12, temperature: 1, top_p: 0.9, seed: 7, presence_penalty: 0.5, frequency_penalty: 0.5,
      stop: ['\n\n'], user: 'someone', logit_bias: { 5: -100 } }
    const a = await client.chat.completions.create(ask)
    const b = await client.chat.completions.create(ask)
    same(a.choices[0].message.content, b.choices[0].message.content, 'the same seed')
    const two = await client.chat.completions.create({ ...ask, n: 2 })
    same([0, 1], two.choices.map(c => c.index), 'indices')
  },
  logprobs: async () => {
    const c = await client.chat.completions.create({ model: chat, messages, max_tokens: 4, temperature: 0, logprobs: true, top_logprobs: 3 })
    const content = c.choices[0].logprobs.content
    same(c.usage.completion_tokens >= content.length && content.length > 0, true, 'one entry a token')
    check(content.every(t => t.top_logprobs.length === 3 && t.logprob <= 0 && t.logprob === t.top_logprobs[0].logprob), JSON.stringify(content[0]))
  },
  tools: async () => {
    const first = await calling.chat.completions.create({ model: tool, messages: question, tools, temperature: 0, max_tokens: 200 })
    same('tool_calls', first.choices[0].finish_reason, 'reason')
    const call = first.choices[0].message.tool_calls[0]
    same('weather', call.function.name, 'function')
    same({ city: 'Paris' }, JSON.parse(call.function.arguments), 'arguments')
    const second = await calling.chat.completions.create({ model: tool, tools, temperature: 0, max_tokens: 200,
      messages: [...question, first.choices[0].message, { role: 'tool', tool_call_id: call.id, content: '18 degrees' }] })
    same('stop', second.choices[0].finish_reason, 'reason after the result')
    check(second.choices[0].message.content.includes('18 degrees'), second.choices[0].message.content)
  },
  tools_streamed: async () => {
    const stream = await calling.chat.completions.create({ model: tool, messages: question, tools, temperature: 0, max_tokens: 200, stream: true })
    let name = ''
    let text = ''
    let reason = null
    for await (const c of stream) {
      for (const t of c.choices[0]?.delta?.tool_calls ?? []) {
        name += t.function?.name ?? ''
        text += t.function?.arguments ?? ''
      }
      reason = c.choices[0]?.finish_reason ?? reason
    }
    same(['weather', { city: 'Paris' }, 'tool_calls'], [name, JSON.parse(text), reason], 'call')
  },
  completions: async () => {
    const c = await client.completions.create({ model: chat, prompt: 'The capital of France is', max_tokens: 6, temperature: 0 })
    check(c.choices[0].text.length > 0, 'no text')
    const stream = await client.completions.create({ model: chat, prompt: 'The capital of France is', max_tokens: 6, temperature: 0, stream: true })
    let text = ''
    for await (const e of stream) text += e.choices[0]?.text ?? ''
    same(c.choices[0].text, text, 'streamed text')
  },
  embeddings: async () => {
    const input = ['a cat', 'a dog']
    const packed = await embedder.embeddings.create({ model: embedding, input }) // the package asks for base64
    const plain = await embedder.embeddings.create({ model: embedding, input, encoding_format: 'float' })
    same(2, packed.data.length, 'vectors')
    for (let i = 0; i < 2; i++) {
      const [a, b] = [packed.data[i].embedding, plain.data[i].embedding]
      check(a.length === b.length && a.length > 0 && a.every((x, j) => Math.abs(x - b[j]) < 1e-6), 'base64 and floats differ')
    }
    check(plain.usage.prompt_tokens > 0, 'usage')
  },
  responses: async () => {
    const r = await client.responses.create({ model: chat, input: 'What is the capital of France?', max_output_tokens: 16, temperature: 0, store: false })
    check(r.output_text.length > 0, JSON.stringify(r))
    const stream = await client.responses.create(
      { model: chat, input: 'What is the capital of France?', max_output_tokens: 16, temperature: 0, store: false, stream: true })
    let text = ''
    let done = null
    for await (const e of stream) {
      if (e.type === 'response.output_text.delta') text += e.delta
      if (e.type === 'response.completed' || e.type === 'response.incomplete') done = e.response
    }
    same(r.output_text, text, 'streamed text')
    check(done !== null, 'no end')
  },
  responses_tools: async () => {
    const r = await calling.responses.create({ model: tool, input: question, temperature: 0, max_output_tokens: 200, store: false,
      tools: [{ type: 'function', strict: false, ...tools[0].function }] })
    const call = r.output.find(o => o.type === 'function_call')
    same(['weather', { city: 'Paris' }], [call?.name, JSON.parse(call?.arguments ?? 'null')], 'call')
    const s = await calling.responses.create({ model: tool, temperature: 0, max_output_tokens: 200, store: false,
      tools: [{ type: 'function', strict: false, ...tools[0].function }],
      input: [...question, call, { type: 'function_call_output', call_id: call.call_id, output: '18 degrees' }] })
    check(s.output_text.includes('18 degrees'), s.output_text)
  },
  errors: async () => {
    const refused = async (kind, ask) => {
      try {
        await ask()
      } catch (e) {
        check(e instanceof kind, `${e}`)
        check(e.message.length > 10 && e.requestID, `message or request id missing: ${e.message} ${e.requestID}`)
        return e
      }
      throw new Error('was not refused')
    }
    const range = await refused(OpenAI.BadRequestError, () => client.chat.completions.create({ model: chat, messages, temperature: 9 }))
    same('temperature', range.param, 'param')
    await refused(OpenAI.BadRequestError, () => client.chat.completions.create({ model: chat, messages, no_such_field: 1 }))
    await refused(OpenAI.NotFoundError, () => client.chat.completions.create({ model: 'no-such-model', messages }))
  },
})
