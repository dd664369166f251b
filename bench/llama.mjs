// One turn of llama.cpp, through the npm package node-llama-cpp, for `poot bench --beside`:
//
//   npm install --ignore-scripts node-llama-cpp            (in this folder, or any above it)
//   poot bench … --beside 'node bench/llama.mjs {model} {prefill} {decode} {context} {batch} {threads}'
//
// Prints {"prefill": X, "decode": Y}, tokens a second of all rows together, null for what was not asked. One unmeasured
// turn goes before the measured one. The cache of a deep context is computed once and kept beside the model
// (MODEL.CONTEXT.ROW.….state) for later turns. A last word flash=on, flash=off or flash=auto chooses the attention kernel in
// place of the package's default; the cache is F16.
import {existsSync} from "node:fs";
import {createRequire} from "node:module";
import {pathToFileURL} from "node:url";
import path from "node:path";

const [model, ...rest] = process.argv.slice(2);
const flash = {"flash=on": true, "flash=off": false, "flash=auto": "auto"}[rest.at(-1)];
const numbers = flash === undefined ? rest : rest.slice(0, -1);
const [prefill, decode, context = 0, batch = 1, threads = 1] = numbers.map(Number);
if (model === undefined || numbers.length < 2 || [prefill, decode, context, batch, threads].some(n => !Number.isInteger(n) || n < 0)) {
  console.error("usage: llama.mjs MODEL PREFILL DECODE [CONTEXT [BATCH [THREADS]]] [flash=on|off|auto]");
  process.exit(2);
}
const {getLlama, LlamaLogLevel} = await node_llama_cpp();
const KEEP_FROM = 1024;

/** The package, from this script's folder upwards or the working directory's. */
async function node_llama_cpp() {
  try {
    return await import("node-llama-cpp");
  } catch (e) {
    if (e.code !== "ERR_MODULE_NOT_FOUND") throw e;
    const found = createRequire(path.join(process.cwd(), "x.mjs")).resolve.paths("node-llama-cpp")
      .map(p => path.join(p, "node-llama-cpp", "dist", "index.js")).find(existsSync);
    if (found === undefined) throw e;
    return import(pathToFileURL(found));
  }
}

const llama = await getLlama({gpu: false, build: "never", logLevel: LlamaLogLevel.error, maxThreads: threads, numa: false});
const loaded = await llama.loadModel({modelPath: model});
const vocabulary = loaded.fileInfo.metadata?.tokenizer?.ggml?.tokens?.length ?? 1000;
const room = Math.max(prefill + 8, context + decode + 8);
const state = await loaded.createContext({contextSize: room, batchSize: 512, threads, sequences: batch, flashAttention: flash});
const rows = Array.from({length: batch}, () => state.getSequence());
const ids = (n, row) => Array.from({length: n}, (_, i) => (i * 7919 + row * 104729 + 13) % vocabulary);
const seconds = since => (performance.now() - since) / 1e3;

/** Feeds `n` tokens to an empty row and waits for the next one: tokens a second. */
async function prompt(n) {
  await rows[0].clearHistory();
  const begin = performance.now();
  for await (const _ of rows[0].evaluate(ids(n, 0), {temperature: 0, yieldEogToken: true})) break;
  return n / seconds(begin);
}

/** Gives every row `context` tokens; what a row holds beyond them is forgotten. */
async function fill() {
  for (const [r, row] of rows.entries()) {
    if (row.nextTokenIndex > context && context > 0) {
      await row.eraseContextTokenRanges([{start: context, end: row.nextTokenIndex}]);
    } else if (row.nextTokenIndex !== context || context === 0) {
      await row.clearHistory();
      await compute(row, r);
    }
  }
}

async function compute(row, r) {
  const kept = `${model}.${context}.${r}.${state.flashAttention}.state`;
  if (context === 0) return;
  if (context >= KEEP_FROM && existsSync(kept)) {
    await row.loadStateFromFile(kept, {acceptRisk: true});
    return;
  }
  await row.evaluateWithoutGeneratingNewTokens(ids(context, r));
  if (context >= KEEP_FROM) await row.saveStateToFile(kept);
}

/** `n` tokens in every row, all rows in one batch: tokens a second. The first token of a row is not counted. */
async function continuation(n) {
  await fill();
  const each = rows.map((row, r) => row.evaluate([(r + 17) % vocabulary], {temperature: 0, yieldEogToken: true}));
  await Promise.all(each.map(e => e.next()));
  const begin = performance.now();
  for (let i = 0; i < n; i++) await Promise.all(each.map(e => e.next()));
  const speed = n * batch / seconds(begin);
  await Promise.all(each.map(e => e.return()));
  return speed;
}

async function measured(turn, n) {
  if (n === 0) return null;
  await turn(Math.min(n, 64));
  return turn(n);
}

console.log(JSON.stringify({prefill: await measured(prompt, prefill), decode: await measured(continuation, decode)}));
process.exit(0);
