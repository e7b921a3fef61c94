/**
 * The pieces of a text that another one stands for: what is new stands where the change begins, and the other pieces
 * lose their part.
 *
 * @returns the pieces that change, by number
 */
export function changedPieces(pieces: readonly string[], now: string): ReadonlyMap<number, string> {
  const was = pieces.join('')
  const changed = new Map<number, string>()
  if (was === now) return changed
  const most = Math.min(was.length, now.length)
  let same = 0
  while (same < most && was[same] === now[same]) same++
  let tail = 0
  while (tail < most - same && was[was.length - 1 - tail] === now[now.length - 1 - tail]) tail++
  // What is only put in is put into the piece before which nothing changes.
  const end = was.length - tail
  let start = 0
  let isIn = false
  for (const [number, piece] of pieces.entries()) {
    const stop = start + piece.length
    const begins = !isIn && (stop > same || number === pieces.length - 1)
    if (begins || (isIn && start < end)) {
      const before = begins ? piece.slice(0, same - start) + now.slice(same, now.length - tail) : ''
      changed.set(number, before + piece.slice(Math.max(0, end - start)))
      isIn = true
    }
    start = stop
  }
  return changed
}
