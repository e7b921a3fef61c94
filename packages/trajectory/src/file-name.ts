import { digestText, parseAddress } from '@reprise/core'

/** Letters, digits and ideographs that every file system keeps as they are. */
const HARMLESS = /[A-Za-z0-9_.+=,\u4e00-\u9fa5-]/
/** Names that Windows gives to devices, with whatever follows the first dot. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
/** Characters of a name before it is cut; leaves room for the index within 143 bytes, the least any file system allows. */
const LONGEST = 96

/**
 * The file of each address, in the order given. `delete_file@1` is `delete_file@1.json`; other characters become
 * `%` and two hex digits for each UTF-8 byte; a name that is too long, or differs from an earlier one only in
 * letter case, gets `~` and a hash of itself. Always different files for different addresses.
 */
export function fileNames(addresses: readonly string[]): string[] {
  const owners = new Map<string, string>()
  const stems = new Map<string, string>()
  return addresses.map((address) => {
    const parsed = parseAddress(address)
    const name = parsed?.name ?? address
    let stem = stems.get(name)
    if (stem === undefined) {
      stem = stemOf(name)
      const folded = stem.toLowerCase()
      if ((owners.get(folded) ?? name) !== name) stem = hashed(stem, name)
      else owners.set(folded, name)
      stems.set(name, stem)
    }
    return `${stem}@${parsed?.index ?? 0}.json`
  })
}

function stemOf(name: string): string {
  let text = ''
  for (const char of name) text += HARMLESS.test(char) ? char : escapeBytes(char)
  // A dot would hide the file, a dash make it an option of a command, a device swallow it.
  if (/^[.-]/.test(text) || DEVICE.test(text)) text = escapeBytes(text.charAt(0)) + text.slice(1)
  return Buffer.byteLength(text) > LONGEST ? hashed(text, name) : text
}

/** A lone surrogate has no UTF-8 form of its own: its two bytes stand as they are, behind a sign no UTF-8 has. */
function escapeBytes(char: string): string {
  const lone = /^[\ud800-\udfff]$/.test(char)
  const code = char.charCodeAt(0)
  const bytes = lone ? [0xff, code >> 8, code & 0xff] : [...Buffer.from(char)]
  return bytes.map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
}

function hashed(stem: string, name: string): string {
  let head = ''
  for (const part of stem.match(/%[0-9A-F]{2}|[^%]/g) ?? []) {
    if (Buffer.byteLength(head) + Buffer.byteLength(part) > LONGEST - 17) break
    head += part
  }
  return `${head}~${digestText(JSON.stringify(name)).slice(0, 16)}`
}

/** Whether a manifest may name this file: one plain name, nothing that leads elsewhere. */
export const isSafeFileName = (file: string): boolean =>
  /^[^/\\:*?"<>|\p{Cc}]{1,255}$/u.test(file) &&
  file.endsWith('.json') &&
  file.includes('@') &&
  !file.startsWith('.') &&
  !/[. ]$/.test(file) &&
  !DEVICE.test(file)
