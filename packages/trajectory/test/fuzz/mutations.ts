import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { canonicalText, digestText } from '@reprise/core'

/** The files of a fixture by their names. */
export type Files = ReadonlyMap<string, Buffer>

/** One change to a fixture's folder. */
export interface Mutation {
  /** What was done, for the message of a failure. */
  readonly says: string
  /** Files to write. */
  readonly writes: ReadonlyMap<string, Buffer>
  /** What else is done to the folder; `outside` is a file that no reader may look into. */
  readonly then?: (dir: string, outside: string) => void
}

/** Draws whole numbers below a count. */
export type Below = (count: number) => number

/** Texts that stand in no harmless fixture. */
const HOSTILE_TEXTS = [
  '',
  '../../outside@1.json',
  '/etc/passwd',
  'C:\\Windows\\win.ini',
  'con@1.json',
  'NUL',
  '__proto__',
  'constructor',
  'a'.repeat(70_000),
  '\u001b[2J\u001b]0;owned\u0007',
  '\ud800',
  '\u202epassed',
  'agent@0',
  'agent@99999999999999999999',
  '@',
  'agent@1\n0 E',
  '\0',
]

const HOSTILE_TAGS: readonly unknown[] = [
  { $future: 1 },
  { $same: ['agent@1', 'input'] },
  { $same: ['agent@9', 'outcome.value'] },
  { $same: ['agent@1', '__proto__'] },
  { $same: ['agent@1', 'input'], $first: 1e9 },
  { $blob: '../trajectory.json', $chars: 1 },
  { $blob: '0'.repeat(64), $chars: -1 },
  { $ref: [] },
  { $ref: ['__proto__'] },
  { $ref: [0, 0, 0] },
  { $map: [[{ $ref: [] }, 1]] },
  { $set: [{ $ref: [0] }] },
  { $date: 'never' },
  { $bigint: '9'.repeat(100_000) },
  { $regexp: ['(a+)+$', 'gg'] },
  { $url: 'javascript:alert(1)' },
  { $bytes: '!!!' },
  { $bytes: 'AAAA', $as: 'BigInt64Array' },
  { $error: { name: 'TypeError', message: 1 } },
  { $undefined: 1 },
  { $number: 'Infinity and more' },
  { $symbol: 'x' },
  { $keys: [['__proto__', { polluted: true }]] },
  { $value: 1, $hidden: [] },
]

const HOSTILE_VALUES: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  1e308,
  2 ** 53,
  [],
  {},
  [[[[[[[[]]]]]]]],
  { length: 4_294_967_295 },
  JSON.parse('{"toJSON": 1, "then": 1}'),
  JSON.parse('{"__proto__": {"polluted": true}}'),
  JSON.parse(`${'['.repeat(1_100)}${']'.repeat(1_100)}`),
  ...HOSTILE_TEXTS,
  ...HOSTILE_TAGS,
]

/** Draws one change. */
export function drawMutation(files: Files, below: Below): Mutation {
  const names = [...files.keys()]
  const name = names[below(names.length)] as string
  const draw = below(10)
  if (draw < 4) return inBytes(files, name, below)
  if (draw < 9) return inValues(files, name.startsWith('blobs/') ? 'trajectory.json' : name, below)
  return inFolder(files, name, below)
}

/** A change that knows nothing of what the bytes mean. */
function inBytes(files: Files, name: string, below: Below): Mutation {
  const bytes = files.get(name) as Buffer
  const at = below(bytes.length + 1)
  const length = below(Math.min(200, bytes.length + 1))
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
  const ways: readonly (readonly [string, () => Buffer])[] = [
    ['a bit turned', () => turned(bytes, below)],
    ['bytes by chance', () => Buffer.concat([before, Buffer.from(Array.from({ length: 8 }, () => below(256))), after])],
    ['cut off', () => Buffer.from(before)],
    ['a part taken out', () => Buffer.concat([before, after.subarray(length)])],
    ['a part twice', () => Buffer.concat([before, after.subarray(0, length), after])],
    ['a part of another file', () => Buffer.concat([before, slice(files, below), after])],
    ['other line ends', () => Buffer.from(bytes.toString('latin1').replaceAll('\n', '\r\n'), 'latin1')],
    ['a byte order mark', () => Buffer.concat([Buffer.from('\ufeff'), bytes])],
    ['another digit', () => Buffer.from(anotherDigit(bytes.toString('latin1'), below), 'latin1')],
    ['two bytes a character', () => Buffer.from(bytes.toString(), 'utf16le')],
  ]
  const [says, make] = ways[below(ways.length)] as (typeof ways)[number]
  return { says: `${name}: ${says} at ${at}`, writes: new Map([[name, make()]]) }
}

function turned(bytes: Buffer, below: Below): Buffer {
  const changed = Buffer.from(bytes)
  if (changed.length === 0) return changed
  const at = below(changed.length)
  changed[at] = (changed[at] as number) ^ (1 << below(8))
  return changed
}

function slice(files: Files, below: Below): Buffer {
  const all = [...files.values()]
  const other = all[below(all.length)] as Buffer
  const from = below(other.length + 1)
  return other.subarray(from, from + below(300))
}

function anotherDigit(text: string, below: Below): string {
  const places = [...text.matchAll(/\d/g)].map(({ index }) => index)
  const at = places[below(Math.max(1, places.length))] ?? 0
  return text.slice(0, at) + below(10) + text.slice(at + 1)
}

type Holder = Record<string, unknown>

/** A change to what a file says, under digests that fit again: whoever makes it can compute them too. */
function inValues(files: Files, name: string, below: Below): Mutation {
  const value = JSON.parse((files.get(name) as Buffer).toString()) as Holder
  const says = [changeOne(value, below)]
  while (below(3) === 0) says.push(changeOne(value, below))
  const writes = new Map<string, Buffer>()
  const write = (file: string, content: Holder): string => {
    const { digest: _, ...rest } = content
    let digest = ''
    try {
      digest = digestText(canonicalText(rest as never))
    } catch {
      // Not even its writer can compute one.
    }
    writes.set(file, Buffer.from(JSON.stringify({ ...rest, digest })))
    return digest
  }
  const sealed = below(8) > 0
  if (!sealed) writes.set(name, Buffer.from(JSON.stringify(value)))
  else {
    const digest = write(name, value)
    if (name !== 'trajectory.json') {
      const manifest = JSON.parse((files.get('trajectory.json') as Buffer).toString()) as Holder
      for (const entry of manifest.files as Holder[]) if (entry.file === name) entry.digest = digest
      write('trajectory.json', manifest)
    }
  }
  return { says: `${name}: ${says.join(', ')}${sealed ? '' : ', not sealed'}`, writes }
}

/** Changes a value in place, and says how. */
function changeOne(root: Holder, below: Below): string {
  const holders: (readonly [path: string, holder: Holder])[] = []
  const visit = (path: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null || holders.length > 5_000 || path.length > 2_000) return
    if (Object.keys(value).length > 0) holders.push([path, value as Holder])
    for (const key of Object.keys(value)) visit(`${path}.${key}`, (value as Holder)[key])
  }
  visit('', root)
  const [path, holder] = holders[below(holders.length)] ?? ['', root]
  const [, other] = holders[below(holders.length)] ?? ['', root]
  const keys = Object.keys(holder)
  const key = keys[below(keys.length)] ?? 'none'
  const hostile = structuredClone(HOSTILE_VALUES[below(HOSTILE_VALUES.length)])
  const at = `${path}.${key}`
  switch (below(7)) {
    case 0:
      if (Array.isArray(holder)) refill(holder, (items) => items.filter((_, place) => place !== Number(key)))
      else delete holder[key]
      return `no ${at}`
    case 1:
      holder[key] = JSON.parse(JSON.stringify(other))
      return `${at} from elsewhere`
    case 2:
      define(holder, HOSTILE_TEXTS[below(HOSTILE_TEXTS.length)] as string, holder[key])
      return `${at} under another name as well`
    case 3:
      if (Array.isArray(holder)) refill(holder, (items) => [...items, ...items.slice(0, 200)])
      else define(holder, `more ${key}`, holder[key])
      return `${path} twice as long`
    default:
      define(holder, key, hostile)
      return `${at} is ${(JSON.stringify(hostile) ?? '').slice(0, 60)}`
  }
}

/** Gives a list other items. An earlier change may have put anything over its own methods. */
function refill(list: unknown[], change: (items: unknown[]) => unknown[]): void {
  const items = change(Array.from(list))
  list.length = items.length
  items.forEach((item, at) => {
    list[at] = item
  })
}

const define = (holder: object, key: string, value: unknown): void => {
  Object.defineProperty(holder, key, { value, enumerable: true, writable: true, configurable: true })
}

/** A change to the folder itself. */
function inFolder(files: Files, name: string, below: Below): Mutation {
  const names = [...files.keys()]
  const other = names[below(names.length)] as string
  const moves: readonly (readonly [string, (dir: string, outside: string) => void])[] = [
    ['gone', (dir) => rmSync(join(dir, name))],
    ['a folder', (dir) => replaced(dir, name, (path) => mkdirSync(path))],
    ['a link out of the folder', (dir, outside) => replaced(dir, name, (path) => symlinkSync(outside, path))],
    ['a link to itself', (dir) => replaced(dir, name, (path) => symlinkSync(path, path))],
    ['a link to nowhere', (dir) => replaced(dir, name, (path) => symlinkSync(join(dir, 'nowhere'), path))],
    [
      'under a name in capitals',
      (dir) => {
        renameSync(join(dir, name), join(dir, `${name} `))
        renameSync(join(dir, `${name} `), join(dir, name.toUpperCase().replace('BLOBS/', 'blobs/')))
      },
    ],
    ['beside a file of nobody', (dir) => writeFileSync(join(dir, `${name}.orig`), 'x')],
    ['beside a file of a hostile name', (dir) => writeFileSync(join(dir, '\u001b[2J\u202e@1.json'), 'x')],
  ]
  if (below(2) === 0) {
    const writes = new Map([[name, Buffer.from(files.get(other) as Buffer)]])
    return { says: `${name}: the content of ${other}`, writes }
  }
  const [says, then] = moves[below(moves.length)] as (typeof moves)[number]
  return { says: `${name}: ${says}`, writes: new Map(), then }
}

function replaced(dir: string, name: string, put: (path: string) => void): void {
  rmSync(join(dir, name))
  put(join(dir, name))
}
