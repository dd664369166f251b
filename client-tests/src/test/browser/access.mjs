// What a page owes to people without a mouse, without sight, or with a small screen.
import { check, same } from './features.mjs'

/** Nothing is wider than the window. */
export async function fitting(page) {
  const wide = await page.evaluate(() => [...document.querySelectorAll('body, body *')].filter(e => e.checkVisibility() && !e.closest('.unseen') &&
    (e.getBoundingClientRect().right > innerWidth + 1 || e.getBoundingClientRect().left < -1)).map(e => `${e.localName}#${e.id}.${e.className}`))
  same([], wide, 'beyond the window')
  same(true, await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'no scrolling sideways')
}

/** Tab reaches everything that can be used, and shows where it is. */
export async function reachable(page) {
  const wanted = await page.$$eval('a, button, input, textarea, summary, [tabindex="0"]', es => es
    .filter(e => e.checkVisibility({ visibilityProperty: true }) && !e.disabled).map((e, i) => (e.dataset.place = String(i))))
  const reached = new Set()
  for (let i = 0; i < wanted.length + 3; i++) { // the window itself is a stop, too
    await page.keyboard.press('Tab')
    const [place, outline] = await page.evaluate(() => [document.activeElement.dataset.place, getComputedStyle(document.activeElement).outlineStyle])
    if (place === undefined) continue
    check(outline !== 'none', `focus does not show at number ${place}`)
    reached.add(place)
  }
  same(wanted, [...reached].toSorted((a, b) => a - b), 'reached by Tab')
}

/** A language, a title, one main heading and part, a name for everything that can be used, and text that stands out. */
export async function labelled(page) {
  const found = await page.evaluate(() => {
    const name = e => e.getAttribute('aria-label') ?? [...(e.labels ?? [])].map(l => l.textContent.trim()).join(' ')
    const luminance = rgb => rgb.map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
      .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0)
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    const onto = (colour, ground) => { // as it is painted
      canvas.fillStyle = `rgb(${ground.join(' ')})`
      canvas.fillRect(0, 0, 1, 1)
      canvas.fillStyle = colour
      canvas.fillRect(0, 0, 1, 1)
      return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)
    }
    const ground = e => e ? onto(getComputedStyle(e).backgroundColor, ground(e.parentElement)) : [255, 255, 255]
    const contrast = e => {
      const behind = ground(e)
      const [a, b] = [luminance(onto(getComputedStyle(e).color, behind)), luminance(behind)].toSorted((x, y) => y - x)
      return (a + 0.05) / (b + 0.05)
    }
    const told = e => `${e.localName}#${e.id}`
    return {
      lang: document.documentElement.lang,
      title: document.title !== '',
      headings: document.querySelectorAll('h1').length,
      mains: document.querySelectorAll('main').length,
      nameless: [...document.querySelectorAll('input, textarea, select')].filter(e => !name(e)).map(told),
      silent: [...document.querySelectorAll('button, a, summary')].filter(e => !e.textContent.trim() && !e.ariaLabel).map(told),
      twice: [...document.querySelectorAll('[id]')].map(e => e.id).filter((id, i, all) => all.indexOf(id) !== i),
      dangling: [...document.querySelectorAll('[aria-controls], [aria-describedby], label[for]')].flatMap(e =>
        ['aria-controls', 'aria-describedby', 'for'].map(a => e.getAttribute(a))).filter(id => id && !document.getElementById(id)),
      faint: [...document.querySelectorAll('body *')].filter(e => e.checkVisibility() && !e.disabled && e.localName !== 'option' &&
        [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim()) && contrast(e) < 4.5).map(e => `${told(e)} ${contrast(e).toFixed(2)}`),
    }
  })
  same({ lang: 'en', title: true, headings: 1, mains: 1, nameless: [], silent: [], twice: [], dangling: [], faint: [] }, found, 'the page')
}
