import type { Json, JsonObject } from '../json.js'
import { PRIVATE_MEMBERS } from '../redact/jwk.js'
import { isKeyFamily } from '../redact/key-family.js'
import { isAbout, isSchema } from '../redact/schema-words.js'
import { WalkNotes } from './notes.js'
import { type Pair, pairOf, readOf } from './pairs.js'
import type { Place } from './place.js'
import { escapeKey, isWellFormed, looksLikeTag, type OpenObject, setOwn, toWellFormed } from './tags.js'

/** The part of the careful walk that writes what stands under names, secrets in the names themselves replaced. */
export abstract class MemberWalk extends WalkNotes {
  abstract value(value: unknown, at: Place, level: number): Json
  abstract opaque(className: string, at: Place): Json

  properties(value: object, keys: readonly string[], at: Place, level: number): Json {
    const names = this.#names(keys, at)
    if (!names.every(isWellFormed)) return { $keys: this.#members(value, keys, names, at, level + 2, escapeKey) }
    const wrapped = looksLikeTag(names)
    const members = this.#members(value, keys, names, at, wrapped ? level + 2 : level + 1)
    return wrapped ? { $esc: members } : members
  }

  protected bare(value: object, at: Place, level: number): Json {
    const keys = Object.keys(value)
    if (!this.take(keys.length)) return this.truncated(at)
    const names = this.#names(keys, at)
    if (names.every(isWellFormed)) return { $null: this.#members(value, keys, names, at, level + 2) }
    return { $keys: this.#members(value, keys, names, at, level + 2, escapeKey), $null: 1 }
  }

  hidden(value: object, names: readonly string[], at: Place, level: number): JsonObject {
    const held: OpenObject = {}
    for (const name of names) {
      const own = Object.getOwnPropertyDescriptor(value, name)
      // Whoever hides a getter does not expect it to run by itself.
      if (own !== undefined && 'value' in own && isWellFormed(name) && this.take(1)) setOwn(held, name, own.value)
      else this.lose(this.child(at, toWellFormed(name)))
    }
    const keys = Object.keys(held)
    return this.#members(held, keys, this.#names(keys, at), at, level + 2)
  }

  #members(
    value: object,
    keys: readonly string[],
    names: readonly string[],
    at: Place,
    level: number,
    write = (name: string) => name,
  ): JsonObject {
    const out: OpenObject = {}
    const pair = this.#pair(value)
    const schema = this.#isSchema(value, keys, at)
    const webKey = keys.includes('kty') ? this.redactor?.keyRule('private_key') : undefined
    for (const [i, key] of keys.entries()) {
      const name = names[i] ?? key
      const because = PRIVATE_MEMBERS.has(key) ? webKey : key === pair?.key ? pair.rule : undefined
      const around = schema && isAbout(key) ? { ...at, rule: undefined } : at
      setOwn(out, write(name), this.#member(value, key, name, because, around, level))
    }
    return out
  }

  #member(value: object, key: string, name: string, because: string | undefined, at: Place, level: number): Json {
    const rule = this.keys.verdict(key, this.redactor).rule ?? because
    const place = this.child(at, name, rule)
    let item: unknown
    try {
      item = (value as Record<string, unknown>)[key]
    } catch {
      return this.opaque('unreadable', place)
    }
    return this.value(item, place, level)
  }

  /** The keys with secrets replaced, and still as many different ones. */
  #names(keys: readonly string[], at: Place): readonly string[] {
    if (!keys.some((key) => this.keys.verdict(key, this.redactor).secret)) return keys
    const redactor = this.redactor
    if (redactor === undefined) return keys
    const taken = new Set(keys)
    return keys.map((key) => {
      if (!this.keys.verdict(key, this.redactor).secret) return key
      const name = free(redactor.text(key), taken)
      taken.add(name)
      this.report(this.child(at, name), redactor)
      return name
    })
  }

  #pair(value: object): Pair | undefined {
    if (this.redactor === undefined) return undefined
    return pairOf(readOf(value), (label) => this.labelRule(label))
  }

  /** Of what stands under a sensitive name: `{ password: { type: 'string', description: '…' } }` holds no password. */
  #isSchema(value: object, keys: readonly string[], at: Place): boolean {
    return at.rule !== undefined && isKeyFamily(at.rule) && keys.includes('type') && isSchema(readOf(value))
  }
}

/** The name, with a number behind it when it is taken. */
function free(name: string, taken: ReadonlySet<string>): string {
  let found = name
  for (let i = 2; taken.has(found); i++) found = `${name}~${i}`
  return found
}
