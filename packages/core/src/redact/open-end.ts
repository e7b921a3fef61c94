import type { Span } from './span.js'

/** What a word that has not come to its end may be part of. Longer than any token, shorter than a picture in base64. */
const LONGEST_WORD = 16 * 1024
/** What ends a word in prose, in JSON and in code. */
const ENDS_A_WORD = /[\s"'`,;(){}<>[\]]/

/** From where on a text that goes on may hold the beginning of a secret: its last word, and every secret that reaches it. */
export function openFrom(text: string, secrets: readonly Span[]): number {
  let open = text.length
  const least = Math.max(0, text.length - LONGEST_WORD)
  while (open > least && !ENDS_A_WORD.test(text.charAt(open - 1))) open--
  const block = text.lastIndexOf('-----BEGIN ')
  if (block >= least && !text.includes('-----END ', block)) open = Math.min(open, block)
  for (const { start, end } of secrets) if (end >= open && start < open) open = start
  return open
}

/**
 * How many of the pieces, which begin at `from`, end before the text is open, and cut no secret in two.
 *
 * @param open from where on the text may hold the beginning of a secret
 */
export function settledPieces(from: number, pieces: readonly string[], open: number, secrets: readonly Span[]): number {
  const ends: number[] = []
  for (let end = from, at = 0; at < pieces.length; at++) {
    end += (pieces[at] as string).length
    ends.push(end)
  }
  const cuts = (at: number): boolean => secrets.some(({ start, end, begins = start }) => begins < at && end > at)
  let count = ends.filter((end) => end <= open).length
  while (count > 0 && cuts(ends[count - 1] as number)) count--
  return count
}
