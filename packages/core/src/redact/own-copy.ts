/**
 * The same text in memory of its own. A slice keeps the whole string it was cut from alive: a name cut from a
 * 50 MB document would hold all of it for as long as we remember the name.
 */
export function ownCopy(text: string): string {
  if (text.length < 13) return text
  if (text.length <= 128) return JSON.parse(JSON.stringify(text)) as string
  const encoding = /[\u0100-\uffff]/.test(text) ? 'utf16le' : 'latin1'
  return Buffer.from(text, encoding).toString(encoding)
}
