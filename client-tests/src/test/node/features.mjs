// Runs named checks one after another and prints a line of JSON for each: {"feature", "ok", "why"}.
export async function run(features) {
  for (const [feature, check] of Object.entries(features)) {
    let line
    try {
      await check()
      line = { feature, ok: true, why: '' }
    } catch (e) {
      line = { feature, ok: false, why: String(e?.stack ?? e).slice(0, 2000) }
    }
    console.log(JSON.stringify(line))
  }
}

export function check(holds, why) {
  if (!holds) throw new Error(why)
}

export function same(expected, found, what) {
  check(JSON.stringify(expected) === JSON.stringify(found), `${what}: expected ${JSON.stringify(expected)}, found ${JSON.stringify(found)}`)
}
