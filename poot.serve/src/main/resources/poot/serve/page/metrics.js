'use strict'

// Live figures from GET metrics (Prometheus text), every two seconds; rates and quantiles are of the last interval.

const INTERVAL = 2000
const KEPT = 90 // readings of a line
const SLOTS = 20 // places of a line at least; more than its readings at first
const at = id => document.getElementById(id)

// Values by name and labels as written.
function parse(text) {
  const out = new Map()
  for (const line of text.split('\n')) {
    if (!line || line.startsWith('#')) continue
    const space = line.lastIndexOf(' ')
    out.set(line.slice(0, space), Number(line.slice(space + 1)))
  }
  return out
}

const value = (m, key) => m.get(key) ?? 0
const change = (now, before, key) => value(now, key) - value(before, key)

function rate(now, before, key, seconds) {
  return seconds > 0 ? change(now, before, key) / seconds : 0
}

// A quantile of what a histogram took in between two readings, by straight lines within buckets; null of nothing.
function quantile(now, before, name, q) {
  const buckets = []
  for (const key of now.keys()) {
    const bound = key.startsWith(name + '_bucket{') && /le="([^"]+)"/.exec(key)
    if (bound) buckets.push([bound[1] === '+Inf' ? Infinity : Number(bound[1]), change(now, before, key)])
  }
  buckets.sort((a, b) => a[0] - b[0])
  const total = buckets.at(-1)?.[1] ?? 0
  if (!total) return null
  let lower = 0
  let below = 0
  for (const [upper, count] of buckets) {
    if (count >= q * total) {
      return upper === Infinity ? lower : lower + (upper - lower) * (q * total - below) / Math.max(1, count - below)
    }
    lower = upper
    below = count
  }
  return lower
}

const time = s => s === null ? '–' : s < 1 ? (s * 1000).toFixed(s < 0.01 ? 1 : 0) + ' ms' : s.toFixed(2) + ' s'
const bytes = b => b >= 2 ** 30 ? (b / 2 ** 30).toFixed(2) + ' GiB' : (b / 2 ** 20).toFixed(b < 2 ** 24 ? 1 : 0) + ' MiB'
const percent = (part, whole) => whole > 0 ? (100 * part / whole).toFixed(0) + ' %' : '–'
const count = v => Math.round(v).toLocaleString('en').replaceAll(',', '\u202f')
const START = new Map() // a reading in which nothing has happened yet

const tokens = (title, kind) => ({ title, read: (n, b, s) => rate(n, b, `poot_tokens_total{kind="${kind}"}`, s), write: v => v.toFixed(v < 100 ? 1 : 0) + ' token/s',
  more: n => count(value(n, `poot_tokens_total{kind="${kind}"}`)) + ' in all' })

// The median and a high quantile of the last interval; of everything since the start where nothing came in it.
const spread = (title, name, more) => ({ title, read: (n, b) => quantile(n, b, name, 0.5), idle: n => quantile(n, START, name, 0.5), write: time,
  more: (n, b, idle) => 'p99 ' + time(quantile(n, idle ? START : b, name, 0.99)) + (more?.(n, idle ? START : b) ?? '') + (idle ? ' since start' : '') })

const rows = (n, b) => {
  const steps = change(n, b, 'poot_step_rows_count')
  return steps > 0 ? `, ${(change(n, b, 'poot_step_rows_sum') / steps).toFixed(1)} rows` : ''
}

const hits = (n, b) => {
  const asked = change(n, b, 'poot_prefix_asked_tokens_total')
  return asked > 0 ? change(n, b, 'poot_prefix_hit_tokens_total') / asked : null
}

const TILES = [
  tokens('Generated', 'generated'),
  tokens('Prompts', 'prompt'),
  { title: 'Running', read: n => value(n, 'poot_running'), write: count, more: n => value(n, 'poot_suspended') + ' suspended' },
  { title: 'Waiting', read: n => value(n, 'poot_waiting'), write: count, more: () => 'requests in the queue' },
  spread('Time to first token', 'poot_time_to_first_token_seconds'),
  spread('Between tokens', 'poot_inter_token_seconds'),
  spread('Step', 'poot_step_seconds', rows),
  { title: 'Cache blocks used', read: n => value(n, 'poot_kv_blocks{state="used"}'), write: count,
    more: n => `of ${count(value(n, 'poot_kv_blocks_total'))}, ${count(value(n, 'poot_kv_blocks{state="cached"}'))} cached` },
  { title: 'Prefix cache hits', read: hits, idle: n => hits(n, START), write: v => v === null ? '–' : percent(v, 1),
    more: (n, b, idle) => idle ? 'of prompt tokens since start' : percent(hits(n, START), 1) + ' since start' },
  { title: 'Heap', read: n => value(n, 'poot_heap_used_bytes'), write: bytes,
    more: n => `weights ${bytes(value(n, 'poot_weights_bytes'))}, device ${bytes(value(n, 'poot_device_bytes'))}` },
]

class Tile {
  constructor(what) {
    this.what = what
    this.seen = []
    const box = document.createElement('div')
    box.className = 'tile'
    box.append(Object.assign(document.createElement('h2'), { textContent: what.title }))
    this.value = box.appendChild(Object.assign(document.createElement('div'), { className: 'value', textContent: '–' }))
    this.more = box.appendChild(Object.assign(document.createElement('div'), { className: 'more' }))
    const svg = box.appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'svg'))
    svg.setAttribute('viewBox', '0 0 100 30')
    svg.setAttribute('preserveAspectRatio', 'none')
    svg.setAttribute('aria-hidden', 'true')
    this.area = svg.appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'polygon'))
    this.line = svg.appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'polyline'))
    at('tiles').append(box)
  }

  show(now, before, seconds) {
    const recent = this.what.read(now, before, seconds)
    const idle = recent === null
    this.write(this.what.write(idle ? this.what.idle(now) : recent))
    this.more.textContent = this.what.more(now, before, idle)
    this.seen.push(recent ?? 0)
    if (this.seen.length > KEPT) this.seen.shift()
    const most = Math.max(...this.seen, 1e-9)
    const slots = Math.max(SLOTS, this.seen.length)
    const place = i => ((slots - this.seen.length + i) * 100 / (slots - 1)).toFixed(2)
    const points = this.seen.map((y, i) => `${place(i)},${(29 - 26 * y / most).toFixed(2)}`).join(' ')
    this.line.setAttribute('points', points)
    this.area.setAttribute('points', `${place(0)},30 ${points} 100,30`)
  }

  // The number large, its unit small.
  write(text) {
    const [number, ...unit] = text.split(' ')
    this.value.replaceChildren(number, ...(unit.length ? [' ', Object.assign(document.createElement('small'), { textContent: unit.join(' ') })] : []))
  }
}

const tiles = TILES.map(t => new Tile(t))
let last = null

function state(text, good) {
  at('state').textContent = text
  at('state').className = 'chip ' + (good ? 'good' : 'bad')
}

async function read() {
  try {
    const key = at('key').value
    const response = await fetch('metrics', key ? { headers: { Authorization: 'Bearer ' + key } } : {})
    at('key').ariaInvalid = String(response.status === 401)
    if (!response.ok) throw new Error((await response.json()).error?.message ?? response.status)
    const now = { at: performance.now(), values: parse(await response.text()) }
    const before = last ?? now
    tiles.forEach(t => t.show(now.values, before.values, (now.at - before.at) / 1000))
    last = now
    state(value(now.values, 'poot_ready') ? 'ready' : 'not ready', value(now.values, 'poot_ready'))
  } catch (e) {
    state(String(e.message ?? e), false)
  }
  setTimeout(read, document.hidden ? 5 * INTERVAL : INTERVAL)
}

read()
