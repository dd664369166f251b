// The server's pages in headless Chromium.
// Arguments: Chromium's path, an open server, a server that asks for a key, that key, a folder for pictures.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { chromium } from 'playwright-core'
import { run, check, same } from './features.mjs'
import { Chat, STORY } from './chat.mjs'
import { fitting, labelled, reachable } from './access.mjs'

const [executablePath, open, keyed, key, pictures] = process.argv.slice(2)
const sh = promisify(execFile)
const browser = await chromium.launch({ executablePath, headless: true, args: ['--no-sandbox', '--disable-gpu', '--disable-quic',
  '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync'] })
const faults = [] // what a page's console or the policy complained of

async function at(url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(15000)
  page.on('pageerror', e => faults.push(`${url}: ${e}`))
  page.on('console', m => {
    // Chromium itself logs every answer that is an error; those asked for here are.
    if (m.type() === 'error' && !/Failed to load resource: the server responded with a status of 4\d\d/.test(m.text())) faults.push(`${url}: ${m.text()}`)
  })
  page.on('request', r => {
    if (!r.url().startsWith(open) && !r.url().startsWith(keyed) && !r.url().startsWith('data:')) faults.push(`${url} asked for ${r.url()}`)
  })
  await page.addInitScript(() => document.addEventListener('securitypolicyviolation',
    e => console.error('policy: ' + e.violatedDirective + ' ' + e.blockedURI)))
  await page.goto(url)
  return page
}

async function chat(url = open, options = {}) {
  return new Chat(await at(url + '/', options))
}

async function figure(name) {
  const text = await (await fetch(open + '/metrics')).text()
  return Number(text.split('\n').find(l => l.startsWith(name + ' ')).split(' ')[1])
}

async function settles(what, ask) {
  for (let i = 0; i < 100; i++) {
    if (await ask()) return
    await new Promise(r => setTimeout(r, 50))
  }
  throw new Error('never: ' + what)
}

const close = c => (c.page ?? c).context().close()

await run({
  async model() {
    const c = await chat()
    await settles('the model is named', async () => (await c.page.textContent('#model')) === 'poot-tiny')
    await close(c)
  },

  async send() {
    const c = await chat()
    await c.say('What is the capital of France?', 'button')
    await c.say('What is the capital of Italy?', 'Enter')
    same(['user', 'assistant', 'user', 'assistant'], (await c.turns()).map(t => t.role), 'turns')
    check((await c.turns()).every(t => t.text.length > 1), JSON.stringify(await c.turns()))
    await c.page.fill('#words', 'one')
    await c.page.press('#words', 'Shift+Enter')
    same('one\n', await c.page.inputValue('#words'), 'a broken line')
    same('', (await c.page.evaluate(() => { document.querySelector('#words').value = '  '; document.querySelector('#send').click(); return document.querySelector('.running')?.textContent ?? '' })), 'nothing sent')
    await close(c)
  },

  async stream() {
    const c = await chat()
    await c.watch()
    await c.say(STORY)
    const lengths = await c.page.evaluate(() => [...window.lengths])
    check(lengths.length > 2, 'lengths seen: ' + lengths)
    const meta = (await c.turns()).at(-1).meta
    check(/^[\d.]+ token\/s · first token after [\d.]+ m?s · \d+ in.*, \d+ out$/.test(meta), meta)
    await close(c)
  },

  async raw() {
    const c = await chat()
    await c.set({ temperature: '0', max_tokens: '12' })
    await c.say("What's the capital of France?")
    const answer = await c.page.textContent('#answer')
    check(/^data: \{.*"chat.completion.chunk"/.test(answer) && answer.endsWith('data: [DONE]\n'), answer)
    const { stdout } = await sh('sh', ['-c', await c.page.textContent('#request')])
    const said = stdout.split('\n').filter(l => l.startsWith('data: {')).map(l => JSON.parse(l.slice(6)).choices[0]?.delta.content ?? '').join('')
    same((await c.turns()).at(-1).text, said, 'what the command says')
    await close(c)
  },

  async stop() {
    const c = await chat()
    await c.set({ temperature: '0' })
    await c.say(STORY)
    const whole = (await c.turns()).at(-1).text
    for (const how of ['button', 'Escape']) {
      await c.fresh()
      await c.stopAtFirst(how)
      await c.say(STORY)
      const part = (await c.turns()).at(-1).text
      check(part.length < whole.length && whole.startsWith(part), `${how}: ${part.length} of ${whole.length} characters came`)
      check(!(await c.page.textContent('#answer')).includes('[DONE]'), how + ': the answer ended by itself')
    }
    await settles('poot_running is 0', async () => await figure('poot_running') === 0)
    await c.say('What is the capital of France?')
    same(4, (await c.turns()).length, 'turns after the one that was stopped')
    await close(c)
  },

  async regenerate() {
    const c = await chat()
    await c.set({ temperature: '0' })
    await c.say('What is the capital of France?')
    const first = (await c.turns())[1].text
    await c.say('Tell me a story about a cat.')
    const before = await c.turns()
    await c.set({ temperature: '2', seed: '5' })
    await c.until(() => c.page.click('#again'))
    const after = await c.turns()
    same(before.slice(0, 3).map(t => t.text), after.slice(0, 3).map(t => t.text), 'the turns before')
    same(4, after.length, 'turns')
    check(after[3].text !== before[3].text, 'the last answer is as it was')
    same(3, (await c.sent()).messages.length, 'messages sent')
    same(first, (await c.sent()).messages[1].content, 'the first answer as it is sent')
    await close(c)
  },

  async new_talk() {
    const c = await chat()
    await c.say('What is the capital of France?')
    await c.fresh()
    same(0, (await c.turns()).length, 'turns')
    await c.say('What is the capital of Italy?')
    same(1, (await c.sent()).messages.length, 'messages sent')
    await close(c)
  },

  async turns() {
    const c = await chat()
    await c.set({ temperature: '0' })
    await c.say('My name is Anna.')
    await c.say('What is my name?')
    const turns = await c.turns()
    same(turns.slice(0, 3).map(t => t.text), (await c.sent()).messages.map(m => m.content), 'the talk as it is sent')
    same(['user', 'assistant', 'user'], (await c.sent()).messages.map(m => m.role), 'roles')
    await close(c)
  },

  async settings() {
    const c = await chat()
    await c.set({ system: 'Be brief.', temperature: '0.5', top_p: '0.9', max_tokens: '7', seed: '3' })
    await c.say('Tell me a story about a dog.')
    const sent = await c.sent()
    same([0.5, 0.9, 7, 3], [sent.temperature, sent.top_p, sent.max_tokens, sent.seed], 'settings')
    same({ role: 'system', content: 'Be brief.' }, sent.messages[0], 'the first message')
    check(/ 7 out$/.test((await c.turns()).at(-1).meta), (await c.turns()).at(-1).meta)
    await close(c)
  },

  async errors() {
    const c = await chat()
    await c.set({ temperature: '9' })
    await c.say('What is the capital of France?')
    const { error } = JSON.parse(await c.page.textContent('#answer'))
    same('temperature', error.param, 'the field at fault')
    same(error.message, (await c.turns()).at(-1).error, 'what the page says')
    await c.set({ temperature: '0' })
    await c.say('What is the capital of Italy?')
    same(1, (await c.sent()).messages.length, 'messages sent: what was refused is no part of the talk')
    check((await c.turns()).at(-1).text.includes('Rome'), JSON.stringify(await c.turns()))
    await close(c)
  },

  async text_not_html() {
    const c = await chat()
    const text = '<img src=x onerror="window.broken = 1"><b>bold</b>'
    await c.page.route('**/v1/chat/completions', r => r.fulfill({ contentType: 'text/event-stream',
      body: `data: ${JSON.stringify({ choices: [{ delta: { content: text } }] })}\n\ndata: [DONE]\n\n` }))
    await c.say(text)
    same([text, text], (await c.turns()).map(t => t.text), 'turns')
    same([0, undefined], await c.page.evaluate(() => [document.querySelectorAll('img, b').length, window.broken]), 'elements made')
    await close(c)
  },

  async key() {
    const c = await chat(keyed)
    await settles('the model chip says that a key is missing', async () => /key/i.test(await c.page.textContent('#model')))
    await c.say('What is the capital of France?')
    check(/key/i.test((await c.turns()).at(-1).error), JSON.stringify(await c.turns()))
    same('true', await c.page.getAttribute('#key', 'aria-invalid'), 'the field is marked')
    await c.set({ key })
    await settles('the model is named', async () => (await c.page.textContent('#model')) === 'poot-tiny')
    await c.until(() => c.page.click('#again'))
    check((await c.turns()).at(-1).text.length > 1, JSON.stringify(await c.turns()))
    same('false', await c.page.getAttribute('#key', 'aria-invalid'), 'the field is marked')
    const command = await c.page.textContent('#request')
    check(!command.includes(key), 'the key is in sight')
    const { stdout } = await sh('sh', ['-c', command], { env: { ...process.env, KEY: key } })
    check(stdout.includes('[DONE]'), stdout)
    await close(c)
    const figures = await at(keyed + '/metrics.html')
    await settles('the state says that a key is missing', async () => /key/i.test(await figures.textContent('#state')))
    await figures.fill('#key', key)
    await settles('ready', async () => (await figures.textContent('#state')) === 'ready')
    await close(figures)
  },

  async figures() {
    const page = await at(open + '/metrics.html', { colorScheme: 'dark' })
    const c = await chat()
    const generated = () => page.textContent('.tile:first-child .more')
    await settles('ready', async () => (await page.textContent('#state')) === 'ready')
    const before = await generated()
    const seen = new Set()
    for (let i = 0; i < 3; i++) {
      await c.set({ seed: String(i) })
      if (i) await c.fresh()
      await c.say(STORY)
      seen.add(await page.textContent('.tile:first-child .value'))
      await page.waitForTimeout(1200)
    }
    seen.add(await page.textContent('.tile:first-child .value'))
    await settles('the count of tokens grows', async () => await generated() !== before)
    check(seen.size > 1, 'token/s shown: ' + [...seen])
    const tiles = await page.$$eval('.tile', ts => ts.map(t => t.innerText))
    check(tiles.length === 10 && tiles.every(t => !/–|NaN|undefined|Infinity/.test(t)), JSON.stringify(tiles))
    check((await page.$$eval('.tile polyline', ls => ls.map(l => l.getAttribute('points')))).every(p => p.includes(' ')), 'a line is missing')
    await page.screenshot({ path: pictures + '/metrics.png' })
    await page.emulateMedia({ colorScheme: 'light' })
    await page.screenshot({ path: pictures + '/metrics-light.png' })
    await close(page)
    await close(c)
  },

  async looks() {
    for (const colorScheme of ['light', 'dark']) {
      const c = await chat(open, { colorScheme })
      await c.page.screenshot({ path: `${pictures}/empty-${colorScheme}.png` })
      await c.set({ temperature: '0', seed: '7' })
      await c.say('What is the capital of France?')
      await c.say('Tell me a story about a fox.')
      await c.page.click('summary:has-text("Raw request")')
      await c.page.screenshot({ path: `${pictures}/${colorScheme === 'light' ? 'chat' : 'chat-dark'}.png` })
      const [ink, paper] = await c.page.evaluate(() => [getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor])
      const light = rgb => rgb.match(/\d+/g).map(Number)[0]
      check((light(paper) > light(ink)) === (colorScheme === 'light'), `${colorScheme}: ${ink} on ${paper}`)
      await close(c)
    }
  },

  async narrow() {
    const viewport = { width: 400, height: 800 }
    const c = await chat(open, { viewport })
    await fitting(c.page)
    await c.say('Tell me a story about a fox.')
    await fitting(c.page)
    await c.page.screenshot({ path: pictures + '/chat-narrow.png' })
    await c.page.click('#panel')
    await c.page.screenshot({ path: pictures + '/chat-narrow-panel.png' })
    await fitting(c.page)
    await c.page.fill('#system', 'x')
    await c.page.keyboard.press('Escape')
    check(await c.page.isHidden('#side'), 'Esc leaves the panel open')
    await close(c)
    const page = await at(open + '/metrics.html', { viewport })
    await fitting(page)
    await page.screenshot({ path: pictures + '/metrics-narrow.png' })
    await close(page)
  },

  async keyboard() {
    const c = await chat()
    same('words', await c.page.evaluate(() => document.activeElement.id), 'where the page begins')
    await c.until(async () => { await c.page.keyboard.type('What is the capital of France?'); await c.page.keyboard.press('Enter') })
    same('words', await c.page.evaluate(() => document.activeElement.id), 'where an answer leaves')
    await reachable(c.page)
    await c.page.focus('#again')
    await c.until(() => c.page.keyboard.press('Space'))
    same(2, (await c.turns()).length, 'turns')
    await c.page.focus('summary')
    await c.page.keyboard.press('Enter')
    check(await c.page.isVisible('#request'), 'the raw request does not open')
    await close(c)
    const page = await at(open + '/metrics.html')
    await reachable(page)
    await close(page)
  },

  async labels() {
    for (const path of ['/', '/metrics.html']) {
      for (const colorScheme of ['light', 'dark']) {
        const page = await at(open + path, { colorScheme })
        await labelled(page)
        await close(page)
      }
    }
  },

  async console() {
    same([], faults, 'complaints')
  },
})
await browser.close()
