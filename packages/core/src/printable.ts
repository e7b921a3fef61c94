/**
 * Control characters, line ends among them, and what turns the direction of text or stands unseen in it. Recorded text
 * may come from anybody: printed as it is, it could steer a terminal, or look like a line of our own. Joiners and the
 * first sixteen variation selectors stay: emoji and whole scripts are written with them.
 */
const STEERING =
  /[\p{Cc}\u{61c}\u{115f}\u{1160}\u{17b4}\u{17b5}\u{180e}\u{200b}\u{200e}\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{3164}\u{feff}\u{ffa0}\u{fff0}-\u{fffb}\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]/gu

/** A text on one line, with every character that steers written as its escape, such as `\u001b`. */
export const printable = (text: string): string => text.replace(STEERING, escaped)

function escaped(char: string): string {
  const units = Array.from({ length: char.length }, (_, at) => char.charCodeAt(at))
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('')
}
