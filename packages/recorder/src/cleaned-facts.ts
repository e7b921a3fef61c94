import type { Redactor } from '@reprise/core'
import type { RunFacts } from './kept.js'

/** What is said of a run, without secrets: a title may be a prompt, a label a header. */
export function cleaned<F extends RunFacts>(facts: F, redactor: Redactor): F {
  const clean = (text: string): string => redactor.text(text)
  const label = ([key, value]: readonly [string, unknown]): readonly [string, string] => {
    const rule = redactor.keyRule(key)
    if (typeof value !== 'string') throw new TypeError(`the label ${JSON.stringify(key)} is no text`)
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
