import { RE2JS } from 're2js'
import { badRule } from './bad-rule.js'
import { budgeted } from './rule-budget.js'
import type { Span } from './span.js'

/** A user's pattern, run in linear time whatever it says. */
export interface UserPattern {
  readonly id: string
  find(text: string, spans: Span[]): void
}

/**
 * Reads a pattern in RE2 syntax.
 * @throws RepriseError `BAD_RULE` when it can't be read or matches the empty text
 */
export function compilePattern(id: string, pattern: string): UserPattern {
  const compiled = read(id, pattern)
  if (compiled.matcher('').find()) throw badRule(id, 'its pattern matches the empty text, so it would match everywhere')
  return {
    id,
    find(text, spans) {
      const matcher = compiled.matcher(budgeted(id, text))
      while (matcher.find()) {
        const start = matcher.start()
        const end = matcher.end()
        if (end > start) spans.push({ start, end, rule: id })
      }
    },
  }
}

function read(id: string, pattern: string): RE2JS {
  try {
    return RE2JS.compile(pattern)
  } catch (error) {
    throw badRule(id, `its pattern can't be read (${error instanceof Error ? error.message : String(error)})`)
  }
}
