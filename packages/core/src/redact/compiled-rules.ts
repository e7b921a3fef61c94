import { badRule } from './bad-rule.js'
import { BUILT_IN_RULES } from './built-in-rules.js'
import { CleanCache } from './clean-cache.js'
import { compileFunction, functionNumber, type RuleFunction } from './function-rule.js'
import { KEY_ENDINGS, keyFamily, keyTails, squash } from './key-family.js'
import { coversPath, type PathPattern, pathSteps, readPathPattern } from './path-rule.js'
import { PII_FINDERS, type PiiFinder } from './pii.js'
import type { Kept } from './pseudonym.js'
import { QUERY_NAMES } from './query-names.js'
import { nameTails } from './signs.js'
import type { RedactionSpec } from './spec.js'
import { type TokenIndex, tokenIndex } from './token-index.js'
import { TOKEN_SHAPES } from './token-shapes.js'
import { compilePattern, type UserPattern } from './user-pattern.js'

const REMEMBERED = 4_096

/** A spec made ready to run. Depends on the spec alone, so every run with it shares one. */
export class CompiledRules {
  readonly active: ReadonlySet<string>
  readonly tokens: TokenIndex
  readonly patterns: readonly UserPattern[]
  /** Asked after everything else. */
  readonly functions: readonly RuleFunction[]
  readonly pii: readonly PiiFinder[]
  readonly keep: ReadonlyMap<string, Kept>
  readonly tails: Uint8Array
  readonly hasPathRules: boolean
  readonly hasUserKeys: boolean
  /** Texts shorter than this hold no secret. */
  readonly minLength: number
  readonly clean = new CleanCache()
  /** See `signs.ts`: the last letters of words that may name a secret. */
  readonly nameTails: Uint8Array
  /** Words with such an end, and whether they do. */
  readonly names = new Map<string, boolean>()
  readonly #userKeys = new Map<string, string>()
  readonly #paths: { readonly rule: string; readonly pattern: PathPattern }[] = []
  readonly #keyRules = new Map<string, string | undefined>()
  readonly #pathRules = new Map<string, string | undefined>()

  constructor(spec: RedactionSpec) {
    const removed = new Set(spec.removed)
    this.active = new Set(
      BUILT_IN_RULES.filter(({ id, set }) => !removed.has(id) && (set !== 'pii' || spec.pii)).map(({ id }) => id),
    )
    this.tokens = tokenIndex(TOKEN_SHAPES.filter(({ id }) => this.active.has(id)))
    this.pii = PII_FINDERS.filter(({ id }) => this.active.has(id))
    this.patterns = spec.rules.flatMap(({ id, pattern }) =>
      pattern === undefined ? [] : [compilePattern(id, pattern)],
    )
    this.functions = spec.rules.filter((rule) => rule.function === true).map(compileFunction)
    this.keep = new Map(
      spec.rules.flatMap(({ id, keep }) =>
        keep ? [[id, { first: keep.first ?? 0, last: keep.last ?? 0 }] as const] : [],
      ),
    )
    for (const { id, keys, paths } of spec.rules) {
      for (const key of keys ?? []) this.#userKeys.set(squash(key), id)
      for (const path of paths ?? []) {
        const pattern = readPathPattern(path)
        if (pattern === undefined) throw badRule(id, `its path ${JSON.stringify(path)} can't be read`)
        this.#paths.push({ rule: id, pattern })
      }
    }
    this.tails = keyTails([...KEY_ENDINGS, ...QUERY_NAMES, ...this.#userKeys.keys()])
    this.nameTails = nameTails([...this.#userKeys.keys()])
    this.hasUserKeys = this.#userKeys.size > 0
    this.hasPathRules = this.#paths.length > 0
    this.minLength = this.patterns.length + this.functions.length > 0 ? 1 : this.pii.length > 0 ? 6 : 8
  }

  keyRule(key: string): string | undefined {
    const known = this.#keyRules.get(key)
    if (known !== undefined || this.#keyRules.has(key)) return known
    const family = keyFamily(key)
    const rule =
      this.#userKeys.get(squash(key)) ?? (family !== undefined && this.active.has(family) ? family : undefined)
    return remember(this.#keyRules, key, rule)
  }

  pathRule(path: string): string | undefined {
    const known = this.#pathRules.get(path)
    if (known !== undefined || this.#pathRules.has(path)) return known
    const steps = pathSteps(path)
    const rule = steps && this.#paths.find(({ pattern }) => coversPath(pattern, steps))?.rule
    return remember(this.#pathRules, path, rule)
  }
}

const MAX_COMPILED = 32

const bySpec = new WeakMap<RedactionSpec, CompiledRules>()
const byText = new Map<string, CompiledRules>()

/**
 * The spec ready to run. Put together once for all specs that say the same: every fixture brings its own.
 * @throws RepriseError `BAD_RULE` when a rule of the spec can't be run
 */
export function compileRules(spec: RedactionSpec): CompiledRules {
  const known = bySpec.get(spec)
  if (known !== undefined) return known
  const text = JSON.stringify([spec, spec.rules.map(functionNumber)])
  const rules = byText.get(text) ?? new CompiledRules(spec)
  if (byText.size >= MAX_COMPILED) byText.clear()
  byText.set(text, rules)
  bySpec.set(spec, rules)
  return rules
}

function remember(map: Map<string, string | undefined>, key: string, rule: string | undefined): string | undefined {
  if (key.length > 256) return rule
  if (map.size >= REMEMBERED) map.clear()
  map.set(key, rule)
  return rule
}
