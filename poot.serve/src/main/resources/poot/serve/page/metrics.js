'use strict'

// Live figures from GET metrics (Prometheus text), every two seconds; rates and quantiles are of the last interval.

const INTERVAL = 2000
const KEPT = 90
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

const time = s => s === null ? '–' : s < 1 ? (s * 1000).toFixed(0) + ' ms' : s.toFixed(2) + ' s'
const bytes = b => b >= 2 ** 30 ? (b / 2 ** 30).toFixed(2) + ' GiB' : (b / 2 ** 20).toFixed(0) + ' MiB'
const percent = (part, whole) => whole > 0 ? (100 * part / whole).toFixed(0) + ' %' : '–'

const TILES = [
  { title: 'Generated', read: (n, b, s) => rate(n, b, 'poot_tokens_total{kind="generated"}', s), write: v => v.toFixed(1) + ' token/s',
    more: n => value(n, 'poot_tokens_total{kind="generated"}') + ' in all' },
  { title: 'Prompts', read: (n, b, s) => rate(n, b, 'poot_tokens_total{kind="prompt"}', s), write: v => v.toFixed(1) + ' token/s',
    more: n => value(n, 'poot_tokens_total{kind="prompt"}') + ' in all' },
  { title: 'Running', read: n => value(n, 'poot_running'), write: v => String(v), more: n => value(n, 'poot_suspended') + ' suspended' },
  { title: 'Waiting', read: n => value(n, 'poot_waiting'), write: v => String(v) },
  { title: 'Time to first token', read: (n, b) => quantile(n, b, 'poot_time_to_first_token_seconds', 0.5), write: time,
    more: (n, b) => 'p99 ' + time(quantile(n, b, 'poot_time_to_first_token_seconds', 0.99)) },
  { title: 'Between tokens', read: (n, b) => quantile(n, b, 'poot_inter_token_seconds', 0.5), write: time,
    more: (n, b) => 'p99 ' + time(quantile(n, b, 'poot_inter_token_seconds', 0.99)) },
  { title: 'Step', read: (n, b) => quantile(n, b, 'poot_step_seconds', 0.5), write: time,
    more: (n, b) => {
      const steps = change(n, b, 'poot_step_rows_count')
      return steps > 0 ? (change(n, b, 'poot_step_rows_sum') / steps).toFixed(1) + ' rows' : ''
    } },
  { title: 'Cache blocks used', read: n => value(n, 'poot_kv_blocks{state="used"}'), write: v => String(v),
    more: n => `of ${value(n, 'poot_kv_blocks_total')}, ${value(n, 'poot_kv_blocks{state="cached"}')} cached` },
  { title: 'Prefix cache hits', read: (n, b) => {
    const asked = change(n, b, 'poot_prefix_asked_tokens_total')
    return asked > 0 ? change(n, b, 'poot_prefix_hit_tokens_total') / asked : null
  }, write: v => v === null ? '–' : percent(v, 1),
    more: n => percent(value(n, 'poot_prefix_hit_tokens_total'), value(n, 'poot_prefix_asked_tokens_total')) + ' since start' },
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
    this.line = svg.appendChild(document.createElementNS('http://www.w3.org/2000/svg', 'polyline'))
    at('tiles').append(box)
  }

  show(now, before, seconds) {
    const v = this.what.read(now, before, seconds)
    this.value.textContent = this.what.write(v)
    this.more.textContent = this.what.more?.(now, before) ?? ''
    this.seen.push(v ?? 0)
    if (this.seen.length > KEPT) this.seen.shift()
    const most = Math.max(...this.seen, 1e-9)
    this.line.setAttribute('points', this.seen.map((y, i) => `${i * 100 / (KEPT - 1)},${29 - 28 * y / most}`).join(' '))
  }
}

const tiles = TILES.map(t => new Tile(t))
let last = null

async function read() {
  try {
    const key = at('key').value
    const response = await fetch('metrics', key ? { headers: { Authorization: 'Bearer ' + key } } : {})
    if (!response.ok) throw new Error((await response.json()).error?.message ?? response.status)
    const now = { at: performance.now(), values: parse(await response.text()) }
    if (last) tiles.forEach(t => t.show(now.values, last.values, (now.at - last.at) / 1000))
    last = now
    at('state').textContent = value(now.values, 'poot_ready') ? 'ready' : 'not ready'
  } catch (e) {
    at('state').textContent = String(e.message ?? e)
  }
  setTimeout(read, document.hidden ? 5 * INTERVAL : INTERVAL)
}

read()
