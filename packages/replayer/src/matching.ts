import { firstDifference, type Json, type LiveBook } from '@reprise/core'
import type { Actual } from './actual.js'
import type { Expected, Script } from './expected.js'

/** What a call was matched with. */
export interface Match {
  readonly expected: Expected | undefined
  /** Where its input differs from the recorded one. */
  readonly drift: Drift | undefined
}

export interface Drift {
  readonly path: string
  readonly recorded: Json | undefined
  readonly actual: Json | undefined
}

/**
 * Finds the envelope a call answers to: same name under the same parent, an equal input first, else the next one in
 * order. An envelope that a changed call holds may still go to the call that really is it: both get it then.
 */
export function matchCall(
  script: Script,
  book: LiveBook,
  call: {
    readonly name: string
    readonly parent: Actual | null
    readonly input: Json
    readonly ignore: readonly string[]
  },
): Match {
  const candidates = candidatesOf(script, call.parent, call.name)
  const differs = (expected: Expected): Drift | undefined =>
    compareInputs(expected.envelope.input, call.input, call.ignore, book)
  let head: Expected | undefined
  let headDrift: Drift | undefined
  for (const expected of candidates) {
    if (expected.started && !expected.drifted) continue
    const drift = differs(expected)
    if (drift === undefined) return { expected, drift: undefined }
    if (head === undefined && !expected.started) {
      head = expected
      headDrift = drift
    }
  }
  return { expected: head, drift: headDrift }
}

/** Where two redacted inputs differ first, if they do; live secrets are bound to the recorded pseudonyms they meet. */
export function compareInputs(
  recorded: Json,
  actual: Json,
  ignore: readonly string[],
  book: LiveBook,
): Drift | undefined {
  let difference: Drift | undefined
  book.trial(() => {
    difference = firstDifference(recorded, actual, { root: 'input', ignore, sameText: (a, b) => book.sameText(a, b) })
    return difference === undefined
  })
  return difference
}

function candidatesOf(script: Script, parent: Actual | null, name: string): readonly Expected[] {
  const siblings = parent === null ? script.roots : parent.expected?.children
  return siblings?.get(name) ?? []
}
