import type { Redactor } from '@reprise/core'
import type { RunFacts } from './kept.js'

/** What is said of a run, without secrets: a title may be a prompt, a label a header. */
export function cleaned<F extends RunFacts>(facts: F, redactor: Redactor): F {
  const clean = (text: string): string => redactor.text(text)
  const label = ([key, value]: readonly [string, unknown]): readonly [string, unknown] => {
    const rule = redactor.keyRule(key)
    // What is no text is refused where labels are written.
    if (typeof value !== 'string') return [key, value]
    return [clean(key), rule === undefined ? clean(value) : redactor.whole(rule, value)]
  }
  const { rerun } = facts
  const made = {
    ...facts,
    id: clean(facts.id),
    title: clean(facts.title),
    labels: Object.fromEntries(Object.entries(facts.labels).map(label)),
    rerun: rerun === undefined ? undefined : clean(rerun),
  }
  // They belong to no envelope.
  redactor.takeHits()
  return made
}
