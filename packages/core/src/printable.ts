/**
 * Control characters, line ends among them, and what turns the direction of text or stands unseen in it. Recorded text
 * may come from anybody: printed as it is, it could steer a terminal, or look like a line of our own.
 */
const STEERING = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu

/** A text on one line, with every character that steers written as its escape, such as `\u001b`. */
export const printable = (text: string): string => text.replace(STEERING, escaped)

function escaped(char: string): string {
  const units = Array.from({ length: char.length }, (_, at) => char.charCodeAt(at))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
