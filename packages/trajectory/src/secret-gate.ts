import { formatPath, type Json, type JsonObject, RepriseError } from '@reprise/core'
import { breathe } from './breathe.js'
import type { FileTexts } from './file-texts.js'
import { MANIFEST_FILE } from './forms.js'
import { hidePseudonyms, rulesOf } from './hide-pseudonyms.js'
import type { Step } from './places.js'
import { type Sighting, sightings } from './secret-rules.js'
import { FIRST, KEPT } from './tags.js'

/** A place in a fixture that looks like a secret. The secret itself is never part of it. */
export interface Secret {
  readonly file: string
  /** Path in the file; undefined when it stands in a key, a blob or between values. */
  readonly path: string | undefined
  readonly rule: string
}

/** A stretch of the scanned text. */
interface Piece {
  readonly start: number
  readonly file: string
  readonly steps: Steps | undefined
}

/** Steps from a value outwards, so that making them costs nothing; most are never written. */
interface Steps {
  readonly up: Steps | undefined
  readonly step: Step
}

/** Characters scanned in one go. */
const BATCH = 4 * 1024 * 1024

/**
 * Looks for secrets in the bytes that are about to be written, and in the texts they stand for, since an escaped
 * quote or line end can hide one from a pattern. Pseudonyms count as `***`. A `.json` file that is no JSON is left out.
 *
 * @param files each text is let go once it was scanned; the manifest comes first
 */
export async function findSecrets(files: Iterable<readonly [name: string, text: string]>): Promise<Secret[]> {
  const secrets: Secret[] = []
  let rules = rulesOf(null)
  let text = ''
  let pieces: Piece[] = []
  const scan = async (): Promise<void> => {
    for (const sighting of await sightings(text)) secrets.push(secretOf(sighting, pieces))
    await breathe(text.length)
    text = ''
    pieces = []
  }
  const add = (file: string, steps: Steps | undefined, content: string): boolean => {
    pieces.push({ start: text.length, file, steps })
    text += `${hidePseudonyms(content, rules)}\n\n`
    return text.length > BATCH
  }
  for (const [file, content] of files) {
    // Texts first: they know their path, and only the first sighting of a rule in a file is kept.
    if (file.endsWith('.json')) {
      const value = parsed(content)
      if (value === undefined) continue
      if (file === MANIFEST_FILE) rules = rulesOf(value)
      for (const [steps, inside] of texts(value)) if (add(file, steps, inside)) await scan()
    }
    if (add(file, undefined, content)) await scan()
  }
  await scan()
  return Promise.all(firstOfEach(secrets).map(withSafePath))
}

function parsed(content: string): Json | undefined {
  try {
    return JSON.parse(content) as Json
  } catch {
    return undefined
  }
}

/** A path whose keys hold a secret is not shown. */
async function withSafePath(secret: Secret): Promise<Secret> {
  const safe = secret.path === undefined || (await sightings(secret.path)).length === 0
  return safe ? secret : { ...secret, path: undefined }
}

/** Throws `SECRET_IN_FIXTURE` when there is one. */
export async function refuseSecrets(dir: string, files: FileTexts): Promise<void> {
  const [secret, ...more] = await findSecrets(files)
  if (secret !== undefined) throw secretInFixture(dir, secret, more)
}

export function secretInFixture(dir: string, secret: Secret, more: readonly Secret[] = []): RepriseError {
  const { file, path, rule } = secret
  const place = path === undefined ? '' : ` at ${path}`
  const others = more.length === 0 ? '' : `, and ${more.length} more`
  return new RepriseError('SECRET_IN_FIXTURE', {
    message: `${dir}/${file} holds what looks like a secret${place}: ${rule}${others}`,
    details: { dir, file, ...(path === undefined ? {} : { path }), rule, more },
    next: `redact it when recording, also when it is a false alarm: ${userRule(secret)}`,
  })
}

/** A redaction rule for the place, ready to paste. */
function userRule({ path, rule }: Secret): string {
  const id = /rule-([\w-]+)/.exec(rule)?.[1] ?? 'secret'
  return path === undefined
    ? `redact: { add: [{ id: 'my-${id}', pattern: '…' }] }, with a pattern for the text that rule found`
    : `redact: { add: [{ id: 'my-${id}', paths: ['${path.replace(/[\\']/g, '\\$&')}'] }] }`
}

/**
 * All texts long enough to be a secret, in their order, with the steps to them as a redaction rule counts them. Works
 * from a list: what is checked may be nested as deeply as its maker liked.
 */
function* texts(root: Json): Generator<[steps: Steps | undefined, text: string]> {
  const todo: [value: Json, up: Steps | undefined][] = [[root, undefined]]
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const [value, up] = next
    if (typeof value === 'string') {
      if (value.length >= 12) yield [up, value]
    } else if (typeof value === 'object' && value !== null) {
      const inside = Array.isArray(value) ? itemsOf(value, up) : membersOf(value as JsonObject, up)
      for (let at = inside.length - 1; at >= 0; at--) todo.push(inside[at] as [Json, Steps | undefined])
    }
  }
}

function itemsOf(list: readonly Json[], up: Steps | undefined): [Json, Steps | undefined][] {
  const items: [Json, Steps][] = []
  let place = 0
  for (const item of list) {
    const spread = typeof item === 'object' && item !== null ? (item as JsonObject)[FIRST] : undefined
    if (typeof spread === 'number') {
      place += spread
    } else {
      items.push([item, { up, step: place }])
      place += 1
    }
  }
  return items
}

const membersOf = (object: JsonObject, up: Steps | undefined): [Json, Steps | undefined][] =>
  Object.entries(object).map(([key, item]) => [item, key === KEPT ? up : { up, step: key }])

function pathOf(steps: Steps): string {
  const path: Step[] = []
  for (let at: Steps | undefined = steps; at !== undefined; at = at.up) path.push(at.step)
  return formatPath('', path.reverse())
}

function secretOf(sighting: Sighting, pieces: readonly Piece[]): Secret {
  let low = 0
  let high = pieces.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((pieces[middle] as Piece).start <= sighting.start) low = middle
    else high = middle - 1
  }
  const piece = pieces[low] as Piece
  return { file: piece.file, path: piece.steps && pathOf(piece.steps), rule: sighting.rule }
}

/** A secret is seen in its text and again in the file's bytes: the sighting without a path gives way. */
function firstOfEach(secrets: readonly Secret[]): Secret[] {
  const seen = new Set<string>()
  return secrets.filter(({ file, path, rule }) => {
    const place = `${rule} ${file} `
    if (seen.has(path === undefined ? place : place + path)) return false
    seen.add(place)
    if (path !== undefined) seen.add(place + path)
    return true
  })
}
