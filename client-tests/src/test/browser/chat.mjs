// The chat page as a person uses it.
export const STORY = 'Tell me a story about a fox.'

export class Chat {
  constructor(page) {
    this.page = page
  }

  /** Does something that asks the model, and waits for the end of the answer. */
  async until(asks) {
    await asks()
    await this.page.waitForFunction(() => document.querySelector('.turn') && !document.querySelector('.running') && !document.querySelector('#send').hidden)
  }

  async say(text, how = 'Enter') {
    await this.page.fill('#words', text)
    await this.until(() => how === 'Enter' ? this.page.press('#words', 'Enter') : this.page.click('#send'))
  }

  async fresh() {
    await this.page.click('#clear')
  }

  async set(values) {
    for (const [id, value] of Object.entries(values)) {
      await this.page.fill('#' + id, value)
      await this.page.dispatchEvent('#' + id, 'change')
    }
  }

  /** What is on the page, from the first turn on. */
  turns() {
    return this.page.$$eval('.turn', turns => turns.map(t => ({
      role: t.classList.contains('user') ? 'user' : 'assistant',
      text: t.querySelector('.said').textContent,
      meta: t.querySelector('.meta').textContent,
      error: t.querySelector('.error')?.textContent,
    })))
  }

  /** The body of the request that the page shows. */
  async sent() {
    const command = await this.page.textContent('#request')
    return JSON.parse(command.slice(command.indexOf("-d '") + 4, -1).replaceAll("'\\''", "'"))
  }

  /** Collects the lengths that the last answer is seen to have. */
  async watch() {
    await this.page.evaluate(() => {
      window.lengths = new Set()
      const look = () => {
        const said = document.querySelector('.running .said')
        if (said?.textContent) window.lengths.add(said.textContent.length)
        requestAnimationFrame(look)
      }
      look()
    })
  }

  /** Stops the next answer as soon as there is some of it. */
  async stopAtFirst(how) {
    await this.page.evaluate(how => {
      const observer = new MutationObserver(() => {
        if (!document.querySelector('.running .said')?.textContent) return
        observer.disconnect()
        if (how === 'button') document.querySelector('#stop').click()
        else document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: how, bubbles: true }))
      })
      observer.observe(document.querySelector('#talk'), { childList: true, subtree: true, characterData: true })
    }, how)
  }
}
