import { styleText } from 'node:util'

type Style = Parameters<typeof styleText>[0]

const { NO_COLOR, TERM } = process.env
const colour = process.stdout.isTTY === true && (NO_COLOR === undefined || NO_COLOR === '') && TERM !== 'dumb'

const in_ = (style: Style) => (text: string) => (colour ? styleText(style, text) : text)

/** Colour on a terminal, plain text elsewhere and with `NO_COLOR` set. */
export const paint = { strong: in_('bold'), faint: in_('dim'), good: in_('green'), bad: in_('red') }
