import { encode, type Redactor } from '@reprise/core'
import type { RunFacts } from './kept.js'

/** What is said of a run, without secrets: a title may be a prompt, a label a header. */
export function cleaned<F extends RunFacts>(facts: F, redactor: Redactor): F {
  const clean = (text: string): string => redactor.text(text)
  const { labels, rerun } = facts
  return {
    ...facts,
    id: clean(facts.id),
    title: clean(facts.title),
    labels: Object.keys(labels).length === 0 ? labels : (encode(labels, 'labels', redactor).json as typeof labels),
    rerun: rerun === undefined ? undefined : clean(rerun),
  }
}
