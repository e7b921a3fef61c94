import { RepriseError } from '../errors.js'
import { badRule } from './bad-rule.js'
import { BUILT_IN_RULES } from './built-in-rules.js'
import { compileRules } from './compiled-rules.js'
import { isTexts, likely, readRule } from './read-rule.js'
import type { RedactionSpec, RedactOptions, StoredRule } from './spec.js'

const DEFAULTS: RedactionSpec = freeze({ version: 1, pii: false, removed: [], rules: [] })
const OPTIONS = ['add', 'remove', 'pii', 'paths', 'keys'] as const

/** What a boundary may say about redaction. */
const BOUNDARY_OPTIONS = ['add', 'paths', 'keys'] as const

/**
 * From what users say to what the code works with: plain JSON, equal for equal options, with the defaults filled in.
 * Without options: every built-in rule but those of the `pii` set. Redaction can't be switched off as a whole;
 * `remove` takes single rules out by id.
 * @throws RepriseError `BAD_OPTION` for an option that does not exist or is of another kind, with the nearest name;
 *   `BAD_RULE` for an unknown id in `remove`, an id used twice, an invalid pattern or path, a rule without pattern, keys
 *   and paths, or a function without a name
 */
export function resolveRedaction(options: RedactOptions = {}): RedactionSpec {
  return resolve(options, OPTIONS)
}

/**
 * The rules of one boundary, beside those of the run.
 * @throws RepriseError as {@link resolveRedaction} does; rules can't be removed here
 */
export function resolveBoundaryRules(
  options: Pick<RedactOptions, (typeof BOUNDARY_OPTIONS)[number]>,
): readonly StoredRule[] {
  return resolve(options, BOUNDARY_OPTIONS).rules
}

function resolve(options: RedactOptions, names: readonly string[]): RedactionSpec {
  check(options, names)
  const { add = [], remove = [], pii = false, paths = [], keys = [] } = options
  if (add.length + remove.length + paths.length + keys.length === 0 && !pii) return DEFAULTS
  const rules = [...add.map(readRule)]
  if (keys.length > 0) rules.push(readRule({ id: 'key', keys }))
  if (paths.length > 0) rules.push(readRule({ id: 'path', paths }))
  checkIds(rules)
  const spec = freeze({ version: 1, pii, removed: readRemoved(remove), rules })
  compileRules(spec)
  return spec
}

function check(options: RedactOptions, names: readonly string[]): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    const given = Array.isArray(options) ? 'a list' : JSON.stringify(options)
    const next = "Remove single rules by id: redact: { remove: ['jwt'] }."
    throw badRule('redact', `it is ${given}, and redaction can't be switched off as a whole`, next)
  }
  for (const [name, value] of Object.entries(options) as [string, unknown][]) {
    if (!names.includes(name)) throw badOption(name, 'is no option of redact here', likely(name, names))
    if (value === undefined) continue
    if (name === 'pii') {
      if (typeof value !== 'boolean') throw badOption(name, 'must be true or false', 'Say pii: true for personal data.')
    } else if (name === 'add') {
      if (!Array.isArray(value)) throw badOption(name, 'must be a list of rules', 'Say add: [{ id, pattern }].')
    } else if (name === 'remove' ? !isTexts(value) : !Array.isArray(value)) {
      throw badOption(name, 'must be a list of non-empty texts', `Say ${name}: ['…'].`)
    }
  }
}

const badOption = (name: string, problem: string, next: string): RepriseError =>
  new RepriseError('BAD_OPTION', { message: `redact.${name} ${problem}`, details: { option: `redact.${name}` }, next })

function checkIds(rules: readonly StoredRule[]): void {
  const taken = new Set(BUILT_IN_RULES.map(({ id }) => id).concat('rule-failed'))
  for (const { id } of rules) {
    if (taken.has(id)) throw badRule(id, 'its id is taken by another rule', 'Give the rule an id of its own.')
    taken.add(id)
  }
}

function readRemoved(remove: readonly string[]): readonly string[] {
  const known = BUILT_IN_RULES.map(({ id }) => id)
  for (const id of remove) {
    if (!known.includes(id)) throw badRule(id, 'remove names it and no built-in rule has this id', near(id, known))
  }
  return [...new Set(remove)].sort()
}

/** Ids of one provider begin alike: `openai` is far from `openai-key`, counted by letters. */
function near(id: string, known: readonly string[]): string {
  const alike = known.filter((other) => id !== '' && (other.startsWith(id) || id.startsWith(other)))
  return alike.length > 0 ? `Did you mean ${alike.slice(0, 3).join(' or ')}?` : likely(id, known)
}

function freeze(spec: RedactionSpec): RedactionSpec {
  for (const rule of spec.rules) {
    for (const part of [rule.keys, rule.paths, rule.keep]) Object.freeze(part)
    Object.freeze(rule)
  }
  Object.freeze(spec.rules)
  Object.freeze(spec.removed)
  return Object.freeze(spec)
}
