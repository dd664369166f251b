// The Vercel AI SDK against a server: vercel.mjs CHAT_URL MODEL TOOLS_URL MODEL EMBEDDINGS_URL MODEL
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { embedMany, generateText, isStepCount, streamText, tool } from 'ai'
import { z } from 'zod'
import { check, run, same } from './features.mjs'

const [chatUrl, chat, toolUrl, toolModel, embeddingUrl, embedding] = process.argv.slice(2)
const at = url => createOpenAICompatible({ name: 'poot', baseURL: url + '/v1', apiKey: process.env.POOT_TEST_KEY ?? 'none', includeUsage: true })
const calling = at(toolUrl)(toolModel)
const ask = { model: at(chatUrl)(chat), system: 'Be brief.', prompt: 'What is the capital of France?', maxOutputTokens: 12, temperature: 0, maxRetries: 0 }
const weather = tool({
  description: 'The weather of a city.', inputSchema: z.object({ city: z.string() }), execute: async ({ city }) => `${city}: 18 degrees`,
})
const steps = isStepCount(3)

await run({
  chat: async () => {
    const r = await generateText(ask)
    check(r.text.length > 0, 'no text')
    check(['stop', 'length'].includes(r.finishReason), r.finishReason)
  },
  usage: async () => {
    const r = await generateText(ask)
    check(r.usage.inputTokens > 0 && r.usage.outputTokens > 0, JSON.stringify(r.usage))
  },
  stream: async () => {
    const whole = await generateText(ask)
    const s = streamText(ask)
    let text = ''
    for await (const t of s.textStream) text += t
    same(whole.text, text, 'streamed text')
    same(whole.usage.outputTokens, (await s.usage).outputTokens, 'usage')
  },
  tools: async () => {
    const r = await generateText({ ...ask, model: calling, system: undefined, prompt: 'What is the weather in Paris?',
      maxOutputTokens: 200, tools: { weather }, stopWhen: steps })
    check(r.text.includes('18 degrees'), r.text)
  },
  tools_streamed: async () => {
    const s = streamText({ ...ask, model: calling, system: undefined, prompt: 'What is the weather in Paris?',
      maxOutputTokens: 200, tools: { weather }, stopWhen: steps })
    let text = ''
    for await (const t of s.textStream) text += t
    check(text.includes('18 degrees'), text)
  },
  embeddings: async () => {
    const r = await embedMany({ model: at(embeddingUrl).textEmbeddingModel(embedding), values: ['a cat', 'a dog'], maxRetries: 0 })
    check(r.embeddings.length === 2 && r.embeddings[0].length > 0, 'vectors')
  },
  errors: async () => {
    try {
      await generateText({ ...ask, temperature: 9 })
    } catch (e) {
      same(400, e.statusCode, 'status')
      check(e.message.includes('temperature'), e.message)
      return
    }
    throw new Error('was not refused')
  },
})
