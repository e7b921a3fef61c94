import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ERROR_CODES, tool } from '@reprise/core'
import { record } from '@reprise/recorder'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = mkdtempSync(join(tmpdir(), 'reprise-hostile-'))
const good = join(root, 'good')
const child = fileURLToPath(new URL('support/replay-hostile.mjs', import.meta.url))

beforeAll(async () => {
  const look = tool('look', async (_query: unknown) => ({ here: 1 }))
  await record(good, async () => Object.keys(await look({ q: 1 })).length, { journal: false })
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

type Edit = (dir: string) => void

const edit =
  (file: string, from: string | RegExp, to: string): Edit =>
  (dir) => {
    const path = join(dir, file)
    const text = readFileSync(path, 'utf8')
    const changed = text.replace(from, () => to)
    if (changed === text) throw new Error(`${file} has no ${from}`)
    writeFileSync(path, changed)
  }

/** Other JSON in the place of what the tool returned. */
const outcome = (json: string): Edit => edit('look@1.json', /"here": 1/, `"here": ${json}`)
const whole = (json: string): Edit => edit('look@1.json', /"value": \{[^}]*\}/, `"value": ${json}`)
const field = (from: string, to: string): Edit => edit('look@1.json', from, to)
const repeat = (count: number, item: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => item(i)).join()
const names = ['Function', 'eval', 'process', 'require', 'Worker', '__proto__', 'constructor', 'Object', 'Promise']

const EDITS: Readonly<Record<string, Edit>> = {
  ...Object.fromEntries(
    names.flatMap((name) => [
      [
        `an error of class ${name}`,
        outcome(`{"$error":{"class":"${name}","name":"${name}","message":"return process","fields":{"code":1}}}`),
      ],
      [`bytes of class ${name}`, outcome(`{"$bytes":"AAAA","$class":"${name}"}`)],
      [`an opaque value of class ${name}`, outcome(`{"$opaque":{"class":"${name}","data":{"a":1}}}`)],
      [`a tag ${name}`, outcome(`{"$${name}":["return process"]}`)],
    ]),
  ),
  'a pattern that never ends': outcome('{"$regexp":["(a+)+$",""]}'),
  'a pattern with flags that are none': outcome('{"$regexp":["(a+)+$","gggg"]}'),
  'a pattern of 1 MB': outcome(`{"$regexp":["${'(a+)+$'.repeat(170_000)}","g"]}`),
  'a pattern nested 500 000 times': outcome(`{"$regexp":["${'('.repeat(500_000)}${')'.repeat(500_000)}",""]}`),
  'polluted: manifest': edit('trajectory.json', '{', '{"__proto__":{"polluted":true},'),
  'polluted: envelope': edit('look@1.json', '{', '{"__proto__":{"polluted":true},'),
  'polluted: outcome': outcome('{"__proto__":{"polluted":true},"a":{"__proto__":{"polluted":true}}}'),
  'polluted: labels and counts': edit('trajectory.json', '"labels": {}', '"labels": {"__proto__":{"polluted":true}}'),
  'polluted: meta': field(
    '"meta": {}',
    '"meta": {"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":1}}}',
  ),
  'polluted: error fields': outcome(
    '{"$error":{"class":"Error","name":"E","message":"m","fields":{"__proto__":{"polluted":true},"constructor":1,"toString":1},"symbols":[["nodejs.util.inspect.custom",1]]}}',
  ),
  'polluted: beside a list': outcome(
    '{"$array":[1],"$extra":{"__proto__":{"polluted":true},"constructor":1,"then":1}}',
  ),
  'polluted: keys with escapes': outcome(
    '{"$keys":{"__proto__":{"polluted":true},"\\\\u005f_proto__":{"polluted":true}}}',
  ),
  'polluted: hidden': whole('{"$value":{"here":1},"$hidden":{"__proto__":{"polluted":true},"then":1}}'),
  'constructor.prototype': outcome('{"constructor":{"prototype":{"polluted":true}},"prototype":{"polluted":true}}'),
  ...Object.fromEntries(
    ['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map((name) => [
      `a boundary called ${name}`,
      (dir: string): void => {
        for (const file of ['trajectory.json', 'look@1.json', 'timing.json', 'schedule.json']) {
          const path = join(dir, file)
          writeFileSync(
            path,
            readFileSync(path, 'utf8').replaceAll('look@1', `${name}@1`).replaceAll('"look"', `"${name}"`),
          )
        }
      },
    ]),
  ),
  ...Object.fromEntries(
    ['-1', '1e9', '"0"', '0.5', '"__proto__"', '1e999', 'null'].map((index) => [
      `an index of ${index}`,
      field('"index": 1', `"index": ${index}`),
    ]),
  ),
  'a Map of a million entries that are none': outcome(`{"$map":[${repeat(1_000_000, () => '1')}]}`),
  'a Set of two million': outcome(`{"$set":[${repeat(2_000_000, () => '1')}]}`),
  'an error of two million': outcome(
    `{"$error":{"class":"AggregateError","name":"A","message":"m","errors":[${repeat(2_000_000, () => '1')}]}}`,
  ),
  'numbers of a false length': outcome('{"$bytes":"AAAA","$class":"Float64Array","$length":1099511627776}'),
  'numbers of three bytes': outcome('{"$bytes":"AAAA","$class":"Float64Array"}'),
  'a list of four thousand million holes': outcome('[{"$hole":4294967294}]'),
  'a thousand such lists': outcome(`[${repeat(1_000, () => '[{"$hole":4294967294},1]')}]`),
  'a list that is too long': outcome('[{"$hole":4294967295},1]'),
  'then that is no function': whole('{"then":1}'),
  'then that pretends to be one': whole('{"then":{"$opaque":{"class":"Function","name":"then"}},"here":1}'),
  'a function': whole('{"$opaque":{"class":"Function","name":"exec"}}'),
  'a reference to itself': outcome('{"$ref":"here"}'),
  'a reference through itself': outcome('{"$ref":"here.here"}'),
  'a reference to the root, from a Map key': outcome('{"$map":[[{"$ref":""},{"$ref":""}]]}'),
  'a reference that leads nowhere': outcome('{"$ref":"nobody"}'),
  'a reference up a prototype': outcome('{"$ref":"constructor.prototype"}'),
  'a chain of 100 000 references': whole(
    `{${repeat(100_000, (i) => `"a${i}":{"$ref":"a${i + 1}"}`)},"a100000":{"x":1}}`,
  ),
  'a chain of 100 000 references that can be followed': whole(
    `{"a0":{"x":1},${repeat(100_000, (i) => `"a${i + 1}":{"$ref":"a${i}"}`)}}`,
  ),
  'parts in a ring': whole('{"$deep":[[{"$part":1}],{"$part":2},{"$part":1}]}'),
  '100 000 parts, each in the next': whole(
    `{"$deep":[[{"$part":1}],${repeat(100_000, (i) => `[{"$part":${i + 2}}]`)},1]}`,
  ),
  'the same content over and over': whole('{"$same":["look@1","outcome.value"]}'),
  'content of another file by a path': whole('{"$same":["../../etc","passwd"]}'),
  'a blob elsewhere': outcome(`{"$blob":"../../../../etc/passwd","$chars":1}`),
  '100 000 lists in one another': outcome(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  '900 maps in one another': outcome(`${'{"$map":[[1,'.repeat(300)}1${']]}'.repeat(300)}`),
  '2^40 leaves by references in files': whole(
    `{"a0":{"x":1},${repeat(40, (i) => `"a${i + 1}":[{"$ref":"a${i}"},{"$ref":"a${i}"}]`)}}`,
  ),
  'a number with a million digits': outcome(`{"$bigint":"${'9'.repeat(1_000_000)}"}`),
  'a date of a million digits': outcome(`{"$date":"${'1'.repeat(1_000_000)}"}`),
  'turns of a million marks': edit(
    'schedule.json',
    /"turns": \[[\s\S]*?\n {2}\]/,
    `"turns": [[${repeat(1_000_000, (i) => `"${i} +look@1"`)}]]`,
  ),
  'a redaction rule that never ends': edit(
    'trajectory.json',
    '"rules": []',
    '"rules": [{"id":"slow","pattern":"(a+)+$","paths":["**.**.**.**.**.**.**.**.x"]}]',
  ),
}

interface Told {
  readonly ends: readonly Readonly<Record<string, string>>[]
  readonly unchanged: boolean
  readonly polluted: unknown
}

/** Replays some of the fixtures in one process, which must not last, nor grow. */
const run = (dirs: readonly string[]): Promise<Told> =>
  new Promise((resolve, reject) => {
    const flags = ['--disallow-code-generation-from-strings', '--max-old-space-size=512']
    execFile(process.execPath, [...flags, child, good, ...dirs], { timeout: 30_000, cwd: root }, (error, out, err) => {
      if (error === null) resolve(JSON.parse(out) as Told)
      else reject(new Error(`${error.killed ? 'it was stopped' : error.code} ${err.slice(0, 2_000)}`))
    })
  })

const listing = (dir: string): unknown =>
  readdirSync(dir, { recursive: true })
    .map(String)
    .sort()
    .map((name) => [name, statSync(join(dir, name)).mtimeMs])

/** What is large has a process of its own. */
function groups(entries: readonly (readonly [string, string])[]): (readonly (readonly [string, string])[])[] {
  const isLarge = ([, dir]: readonly [string, string]): boolean => statSync(join(dir, 'look@1.json')).size > 100_000
  const small = entries.filter((entry) => !isLarge(entry))
  const together = Array.from({ length: 6 }, (_, group) => small.filter((_, at) => at % 6 === group))
  return [...together, ...entries.filter(isLarge).map((entry) => [entry])]
}

describe('a fixture that somebody has tampered with', () => {
  it('is refused or harmless, runs no code and leaves nothing behind', { timeout: 120_000 }, async () => {
    const entries = Object.entries(EDITS).map(([name, change], at) => {
      const dir = join(root, `edit-${at}`)
      cpSync(good, dir, { recursive: true })
      change(dir)
      return [name, dir] as const
    })
    const before = listing(good)
    const known = new Set<string>([...ERROR_CODES, 'ok'])
    const wrong: unknown[] = []
    let sealed = 0
    const todo = groups(entries)
    const lane = async (): Promise<void> => {
      for (let group = todo.pop(); group !== undefined; group = todo.pop()) {
        const names = group.map(([name]) => name)
        const told = await run(group.map(([, dir]) => dir)).catch((error: unknown) => String(error))
        if (typeof told === 'string' || !told.unchanged || told.polluted !== null) {
          wrong.push([names, told])
          continue
        }
        for (const [at, ends] of told.ends.entries()) {
          if (ends.seal === 'ok') sealed += 1
          if (!Object.values(ends).every((end) => known.has(end))) wrong.push([names[at], ends])
        }
      }
    }
    await Promise.all([lane(), lane()])
    expect(wrong).toEqual([])
    // Most can be sealed, so that what the values hold is looked at too.
    expect(sealed).toBeGreaterThan(entries.length / 2)
    expect(listing(good)).toEqual(before)
    expect(readdirSync(root)).toHaveLength(entries.length + 1)
  })
})
