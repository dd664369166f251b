'use strict'

// A talk with the served model over POST v1/chat/completions, streamed. Everything a model says is put in as text, never as HTML.

const at = id => document.getElementById(id)
const turns = [] // {role, content, reasoning?}: what has been said, as it is sent
let running = null // AbortController of the answer under way

function element(name, kind, text) {
  const e = document.createElement(name)
  if (kind) e.className = kind
  if (text) e.textContent = text
  return e
}

function headers() {
  const h = { 'Content-Type': 'application/json' }
  if (at('key').value) h.Authorization = 'Bearer ' + at('key').value
  return h
}

async function name() {
  try {
    const response = await fetch('v1/models', { headers: headers() })
    const body = await response.json()
    if (!response.ok) throw new Error(body.error?.message ?? response.status)
    at('model').textContent = body.data.map(m => m.id).join(', ')
    return body.data[0].id
  } catch (e) {
    at('model').textContent = String(e.message ?? e)
    return null
  }
}

function request(model) {
  const system = at('system').value.trim()
  const messages = turns.map(t => ({ role: t.role, content: t.content }))
  const body = { model, messages: system ? [{ role: 'system', content: system }, ...messages] : messages,
    stream: true, stream_options: { include_usage: true } }
  for (const field of ['temperature', 'top_p', 'max_tokens', 'seed']) {
    if (at(field).value !== '') body[field] = Number(at(field).value)
  }
  return body
}

function raw(body) {
  const key = at('key').value ? ' \\\n  -H "Authorization: Bearer $KEY"' : ''
  const json = JSON.stringify(body, null, 2)
  at('request').textContent = 'curl -N ' + new URL('v1/chat/completions', location.href) + key +
    " \\\n  -H 'Content-Type: application/json' -d '" + json.replaceAll("'", "'\\''") + "'"
  at('answer').textContent = ''
}

// The data of each server-sent event, as it comes.
async function * events(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    rest += value
    const lines = rest.split('\n')
    rest = lines.pop()
    for (const line of lines) {
      if (line.startsWith('data:')) yield line.slice(5).trim()
    }
  }
}

class Shown {
  constructor(turn) {
    this.turn = turn
    this.box = element('div', 'turn ' + turn.role)
    this.said = element('div', 'said', turn.content)
    this.box.append(this.said)
    at('talk').append(this.box)
    this.box.scrollIntoView({ block: 'end' })
  }

  text(piece) {
    this.turn.content += piece
    this.said.textContent = this.turn.content
    if (innerHeight + scrollY > document.body.scrollHeight - 160) this.box.scrollIntoView({ block: 'end' })
  }

  reasoning(piece) {
    if (!this.thought) {
      const details = element('details')
      this.thought = element('div')
      details.append(element('summary', '', 'Reasoning'), this.thought)
      this.box.prepend(details)
    }
    this.thought.textContent += piece
  }

  fail(message) {
    this.box.classList.add('failed')
    this.said.textContent = (this.turn.content ? this.turn.content + '\n\n' : '') + message
  }
}

class Speed {
  constructor() {
    this.start = performance.now()
    this.pieces = 0
  }

  piece() {
    this.last = performance.now()
    this.first ??= this.last
    this.pieces++
    this.show()
  }

  usage(usage) {
    this.counted = usage
    this.show()
  }

  show() {
    const tokens = this.counted?.completion_tokens ?? this.pieces
    const seconds = (this.last - this.first) / 1000
    const parts = []
    if (tokens > 1 && seconds > 0) parts.push(((tokens - 1) / seconds).toFixed(1) + ' token/s')
    if (this.first) parts.push('first after ' + ((this.first - this.start) / 1000).toFixed(2) + ' s')
    if (this.counted) {
      const cached = this.counted.prompt_tokens_details?.cached_tokens
      parts.push(`${this.counted.prompt_tokens} in${cached ? ` (${cached} cached)` : ''}, ${tokens} out`)
    }
    at('speed').textContent = parts.join(' · ')
  }
}

function busy(controller) {
  running = controller
  at('send').disabled = !!controller
  at('stop').disabled = !controller
  at('again').disabled = !!controller || !turns.some(t => t.role === 'user')
  at('clear').disabled = !!controller
}

async function answer() {
  const controller = new AbortController()
  busy(controller)
  const body = request(await name())
  raw(body)
  const shown = new Shown({ role: 'assistant', content: '' })
  const speed = new Speed()
  try {
    const response = await fetch('v1/chat/completions',
      { method: 'POST', headers: headers(), body: JSON.stringify(body), signal: controller.signal })
    if (!response.ok) {
      const text = await response.text()
      at('answer').textContent = text
      throw new Error(JSON.parse(text).error.message)
    }
    for await (const data of events(response)) {
      at('answer').append('data: ' + data + '\n')
      if (data === '[DONE]') break
      const event = JSON.parse(data)
      if (event.error) throw new Error(event.error.message)
      if (event.usage) speed.usage(event.usage)
      const delta = event.choices[0]?.delta ?? {}
      if (delta.content || delta.reasoning_content) speed.piece()
      if (delta.reasoning_content) shown.reasoning(delta.reasoning_content)
      if (delta.content) shown.text(delta.content)
    }
  } catch (e) {
    if (e.name !== 'AbortError') shown.fail(e.message)
  }
  if (shown.turn.content) turns.push(shown.turn)
  busy(null)
  at('words').focus()
}

function send() {
  const content = at('words').value.trim()
  if (!content || running) return
  at('words').value = ''
  const turn = { role: 'user', content }
  turns.push(turn)
  new Shown(turn)
  answer()
}

// Drops what came after the person's last words, and asks again.
function regenerate() {
  while (turns.length && turns.at(-1).role !== 'user') turns.pop()
  const boxes = [...document.querySelectorAll('.turn')]
  while (boxes.length && !boxes.at(-1).classList.contains('user')) boxes.pop().remove()
  answer()
}

at('ask').addEventListener('submit', e => {
  e.preventDefault()
  send()
})
at('words').addEventListener('keydown', e => {
  if (e.key === 'Enter' && !e.shiftKey && !e.isComposing) {
    e.preventDefault()
    send()
  }
})
at('stop').addEventListener('click', () => running?.abort())
at('again').addEventListener('click', regenerate)
at('clear').addEventListener('click', () => {
  turns.length = 0
  at('talk').replaceChildren()
  at('speed').textContent = ''
  busy(null)
})
at('key').addEventListener('change', name)
name()
