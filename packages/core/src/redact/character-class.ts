/** Which of the 65 536 UTF-16 units are in the set, for look-up without a branch on the range. */
export function unitSet(characters: string): Uint8Array {
  const set = new Uint8Array(65_536)
  for (let i = 0; i < characters.length; i++) set[characters.charCodeAt(i)] = 1
  return set
}

export const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
export const DIGITS = '0123456789'
