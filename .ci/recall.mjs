// npm run recall
// Prints, rule by rule, what redaction finds of the corpus of secrets, how much of it secretlint sees by itself, and what
// is hidden that is no secret: among the look-alikes, and in the runs of an airline's agent where they are at hand.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { createServer } from 'vite'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
// The corpus is TypeScript, and nothing listens: the server only reads it.
const server = await createServer({
  root: at(''),
  configFile: false,
  appType: 'custom',
  logLevel: 'error',
  server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true, include: [] },
})
const load = (path) => server.ssrLoadModule(at(path))

const { measureRecall } = await load('packages/core/test/redact/corpus/measure.ts')
const { sightings } = await load('packages/trajectory/src/secret-rules.ts')
const { table } = await load('packages/incidents/src/table.ts')

const runs = '../shared/data/airline-runs.jsonl.gz'
const hasRuns = existsSync(at(runs))

function* stringsIn(value) {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) {
    for (const [key, entry] of Object.entries(value)) {
      yield key
      yield* stringsIn(entry)
    }
  }
}

function* strings() {
  if (!hasRuns) return
  for (const line of gunzipSync(readFileSync(at(runs)))
    .toString()
    .split('\n')) {
    if (line !== '') yield* stringsIn(JSON.parse(line))
  }
}

const sees = async (text) => (await sightings(text)).length > 0
const { rules, missed, lookAlikes, material } = await measureRecall(sees, strings())
await server.close()

const columns = ['shapes', 'planted', 'found', 'named', 'seen', 'lookAlikes', 'material']
const sum = (column) => rules.reduce((total, rule) => total + rule[column], 0)
const cells = (rule, value) => [
  rule,
  ...columns.flatMap((column) => {
    if (column === 'material' && !hasRuns) return ['-']
    return column === 'found' ? [value('found'), value('planted') - value('found')] : [value(column)]
  }),
]
const head = ['rule', 'shapes', 'planted', 'found', 'missed', 'named so', 'secretlint', 'look-alikes', 'airline']
const rows = [head, ...rules.map((rule) => cells(rule.rule, (column) => rule[column])), cells('all', sum)]
console.log(table(rows.map((row) => row.map(String))))
console.log(`
planted     each shape alone and in every carrier; found: nothing of the secret would be written
named so    hidden under this rule's own name, else under that of a key or an encoding around it
secretlint  how many of the shapes, alone, its recommended rules see
look-alikes hidden by mistake, of ${lookAlikes}
airline     hidden by mistake, ${hasRuns ? `of ${material} strings of real runs` : `skipped: ${runs} is not on this machine`}`)
for (const entry of missed) console.log(`missed: ${entry}`)
process.exitCode = missed.length + sum('lookAlikes') === 0 && sum('material') <= material / 10_000 ? 0 : 1
