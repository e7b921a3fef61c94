/** How long a piece of a secret may not show. */
const PIECE = 12
const MIN_RUN = 12

/** The pieces of secrets that a text still shows, in whatever spelling. */
export function traces(text: string, secrets: readonly string[]): readonly string[] {
  const pieces = secrets.flatMap(piecesOf)
  const spelt = spellings(text)
  return pieces.filter((piece) => spelt.some((spelling) => spelling.includes(piece)))
}

/** All of a short secret; of a long one what begins behind the mark that only says whose it is. */
function piecesOf(secret: string): readonly string[] {
  if (secret.length < PIECE + 8) return [secret]
  const pieces: string[] = []
  for (let i = 8; i + PIECE <= secret.length; i++) pieces.push(secret.slice(i, i + PIECE))
  return pieces
}

function spellings(text: string): readonly string[] {
  const found = new Set([text])
  for (let round = 0; round < 3; round++)
    for (const known of [...found]) for (const next of undone(known)) found.add(next)
  return [...found]
}

function undone(text: string): readonly string[] {
  return [
    text.replace(/\\+(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))/g, (_, u?: string, x?: string) =>
      String.fromCharCode(Number.parseInt(u ?? x ?? '', 16)),
    ),
    text.replace(/%([0-9a-fA-F]{2})/g, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16))),
    text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))),
    text.replace(/\\+(["'\\/])/g, '$1'),
    ...(text.replace(/(?:\\r|\\n|\r|\n)/g, '').match(new RegExp(`[\\w+/-]{${MIN_RUN},}`, 'g')) ?? []).map((run) =>
      Buffer.from(run, 'base64').toString('latin1').replaceAll('\0', ''),
    ),
  ]
}
