import { type DifferenceOptions, type LiveBook, type Redaction, RULE_FAILED } from '@reprise/core'

/**
 * How what was recorded is compared with what is live: secrets by their pseudonyms, also where one stands as a number.
 * What a failing rule has closed while recording is not compared.
 *
 * @param recorded what was redacted there
 * @param actual what was redacted on the live side
 */
export function sameSecrets(
  book: LiveBook,
  recorded: readonly Redaction[],
  actual: readonly Redaction[],
): Required<Pick<DifferenceOptions, 'sameText' | 'sameNumber'>> {
  const named = byPath(recorded)
  const live = byPath(actual)
  return {
    sameText: (before, after, path) =>
      (before.startsWith(RULE_FAILED) && named(path()) === RULE_FAILED) || book.sameText(before, after),
    sameNumber(before, _, path) {
      const [was, is] = [named(path()), live(path())]
      if (was === undefined || is === undefined) return false
      return was === RULE_FAILED || book.sameNumber(before, was, is)
    },
  }
}

function byPath(redactions: readonly Redaction[]): (path: string) => string | undefined {
  let known: Map<string, string> | undefined
  return (path) => {
    known ??= new Map(redactions.map((redaction) => [redaction.path, redaction.pseudonym]))
    return known.get(path)
  }
}
