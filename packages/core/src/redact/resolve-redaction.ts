import { badRule } from './bad-rule.js'
import { BUILT_IN_RULES } from './built-in-rules.js'
import { compileRules } from './compiled-rules.js'
import { RULE_ID } from './pseudonym.js'
import type { RedactionSpec, RedactOptions, RedactRule } from './spec.js'

const DEFAULTS: RedactionSpec = freeze({ version: 1, pii: false, removed: [], rules: [] })

/**
 * From what users say to what the code works with: plain JSON, equal for equal options, with the defaults filled in.
 * Without options: every built-in rule but those of the `pii` set. Redaction can't be switched off as a whole;
 * `remove` takes single rules out by id.
 * @throws RepriseError `BAD_RULE` for an unknown id in `remove`, an id used twice, an invalid pattern or path, or a
 *   rule without pattern, keys and paths
 */
export function resolveRedaction(options: RedactOptions = {}): RedactionSpec {
  if (typeof options !== 'object' || options === null) {
    const next = "Remove single rules by id: redact: { remove: ['jwt'] }."
    throw badRule('redact', `it is ${JSON.stringify(options)}, and redaction can't be switched off as a whole`, next)
  }
  const { add = [], remove = [], pii = false, paths = [], keys = [] } = options
  if (add.length + remove.length + paths.length + keys.length === 0 && !pii) return DEFAULTS
  const rules = [...add.map(readRule)]
  if (keys.length > 0) rules.push(readRule({ id: 'key', keys }))
  if (paths.length > 0) rules.push(readRule({ id: 'path', paths }))
  checkIds(rules)
  const spec = freeze({ version: 1, pii: pii === true, removed: readRemoved(remove), rules })
  compileRules(spec)
  return spec
}

function readRule(rule: RedactRule): RedactRule {
  const { id, pattern, keys, paths, keep } = rule
  if (typeof id !== 'string' || !RULE_ID.test(id)) {
    throw badRule(String(id), 'its id must be 1 to 64 letters, digits, dots, dashes or underscores')
  }
  if (pattern === undefined && !keys?.length && !paths?.length) throw badRule(id, 'it has no pattern, keys or paths')
  if (pattern !== undefined && typeof pattern !== 'string') {
    throw badRule(id, 'its pattern is no text', 'Give the source of a regular expression, without slashes.')
  }
  for (const list of [keys, paths]) {
    if (
      list !== undefined &&
      !(Array.isArray(list) && list.every((entry) => typeof entry === 'string' && entry !== ''))
    ) {
      throw badRule(id, 'its keys and paths must be lists of non-empty texts')
    }
  }
  return {
    id,
    ...(pattern === undefined ? {} : { pattern }),
    ...(keys?.length ? { keys: [...keys] } : {}),
    ...(paths?.length ? { paths: [...paths] } : {}),
    ...(keep === undefined ? {} : { keep: readKeep(id, keep) }),
  }
}

function readKeep(id: string, keep: NonNullable<RedactRule['keep']>): { first: number; last: number } {
  const { first = 0, last = 0 } = keep
  for (const count of [first, last]) {
    if (!Number.isInteger(count) || count < 0 || count > 16) throw badRule(id, 'keep takes whole numbers from 0 to 16')
  }
  return { first, last }
}

function checkIds(rules: readonly RedactRule[]): void {
  const taken = new Set(BUILT_IN_RULES.map(({ id }) => id).concat('rule-failed'))
  for (const { id } of rules) {
    if (taken.has(id)) throw badRule(id, 'its id is taken by another rule', 'Give the rule an id of its own.')
    taken.add(id)
  }
}

function readRemoved(remove: readonly string[]): readonly string[] {
  const known = new Set(BUILT_IN_RULES.map(({ id }) => id))
  for (const id of remove) {
    if (!known.has(id))
      throw badRule(String(id), 'remove names it and no built-in rule has this id', nearest(id, known))
  }
  return [...new Set(remove)].sort()
}

function nearest(id: string, known: ReadonlySet<string>): string {
  const near = [...known].filter((other) => other.includes(id) || id.includes(other.split('-')[0] ?? other))
  return `The ids are: ${(near.length > 0 ? near : [...known]).join(', ')}.`
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
