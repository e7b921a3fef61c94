import { isUtf8 } from 'node:buffer'
import type { Redaction } from '../envelope.js'
import type { Json } from '../json.js'
import { isPseudonym } from '../redact/pseudonym.js'
import type { Redactor } from '../redact/redactor.js'
import { type KeyTable, keyTable } from './keys.js'
import { MAX_NODES, MAX_REPORTED_STEPS, MAX_SCANNED_BYTES, MAX_TEXT } from './limits.js'
import type { Step } from './paths.js'
import { type Place, pathOf, ROOT } from './place.js'
import { isWellFormed, textJson, toWellFormed } from './tags.js'
import { pseudonymNumber, whole } from './whole.js'

/** What the careful walk keeps account of: texts and their secrets, what is lost, and what the budget still holds. */
export abstract class WalkNotes {
  readonly lossy: string[] = []
  readonly redactions: Redaction[] = []
  /** Names of error classes that come back only where they are registered by then. */
  readonly unregistered = new Set<string>()
  protected readonly redactor: Redactor | undefined
  protected readonly keys: KeyTable
  readonly #root: string
  #nodes = MAX_NODES
  #room = MAX_TEXT

  constructor(root: string, redactor: Redactor | undefined) {
    this.#root = root
    this.redactor = redactor
    this.keys = keyTable(redactor)
  }

  abstract truncated(at: Place): Json

  protected start(): Place {
    return { ...ROOT, rule: this.#pathRule(ROOT) }
  }

  child(at: Place, step: Step, rule?: string): Place {
    const place: Place = { up: at, step, depth: at.depth + 1, rule: rule ?? at.rule, opaque: at.opaque }
    const own = this.#pathRule(place)
    return own === undefined || own === place.rule ? place : { ...place, rule: own }
  }

  #pathRule(place: Place): string | undefined {
    if (this.redactor?.hasPathRules !== true || place.depth > MAX_REPORTED_STEPS) return undefined
    return this.redactor.pathRule(pathOf(place, this.#root))
  }

  labelRule(label: unknown): string | undefined {
    return this.keys.labelRule(label, this.redactor)
  }

  text(text: string, at: Place): Json {
    return this.takeText(text.length) ? textJson(this.clean(text, at)) : this.truncated(at)
  }

  line(text: string, at: Place): string {
    const fits = this.takeText(text.length)
    const clean = this.clean(fits ? text : text.slice(0, 1_000), at)
    if (!fits || !isWellFormed(clean)) this.lose(at)
    return toWellFormed(clean)
  }

  protected clean(text: string, at: Place): string {
    const redactor = this.redactor
    if (redactor === undefined || text === '') return text
    if (at.rule !== undefined) return this.#whole(redactor, at.rule, text, at)
    const clean = redactor.text(text)
    if (clean !== text) this.report(at, redactor)
    return clean
  }

  #whole(redactor: Redactor, rule: string, text: string, at: Place): string {
    const secret = whole(redactor, rule, text)
    for (const hit of secret.hits) {
      this.redactions.push({ path: pathOf(at, this.#root), rule: hit.rule, pseudonym: hit.pseudonym })
    }
    return secret.text
  }

  protected report(at: Place, redactor: Redactor): void {
    const path = pathOf(at, this.#root)
    for (const { rule, pseudonym } of redactor.takeHits()) this.redactions.push({ path, rule, pseudonym })
  }

  secretNumber(text: string, at: Place): number | undefined {
    if (at.rule === undefined || this.redactor === undefined) return undefined
    const replaced = this.#whole(this.redactor, at.rule, text, at)
    return replaced === text ? undefined : pseudonymNumber(replaced)
  }

  secretBytes(bytes: Buffer, at: Place): string | undefined {
    if (this.redactor === undefined || bytes.length === 0) return undefined
    const text = bytes.length <= MAX_SCANNED_BYTES && isPrintable(bytes) ? bytes.toString('utf8') : undefined
    if (text === undefined && at.rule === undefined) return undefined
    // Bytes that a pseudonym stands for, handed back: filled up to whole elements.
    if (text !== undefined && isPseudonym(text.trimEnd())) return undefined
    const shown = text ?? bytes.toString('base64')
    const clean = this.clean(shown, at)
    return clean === shown ? undefined : clean
  }

  fits(count: number): boolean {
    // A proxy may call any value its length: one that is no number must not spoil the budget.
    return count <= this.#nodes
  }

  take(count: number): boolean {
    if (!this.fits(count)) return false
    this.#nodes -= count
    return true
  }

  takeText(length: number): boolean {
    if (this.#room < length) return false
    this.#room -= length
    return true
  }

  meetUnregistered(className: string, at: Place): void {
    if (at.opaque === 0) this.unregistered.add(className)
  }

  lose(at: Place): void {
    if (at.opaque === 0) this.lossy.push(pathOf(at, this.#root))
  }
}

/** Text without control characters but tab, line feed and carriage return. */
function isPrintable(bytes: Buffer): boolean {
  for (const byte of bytes) if ((byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) || byte === 127) return false
  return isUtf8(bytes)
}
