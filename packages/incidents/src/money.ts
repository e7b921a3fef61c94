// Made once: making one costs more than a whole crossing.
const format = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2 })

/** Cents as a person reads them: `984726100` is `9,847,261.00`. */
export const money = (cents: number): string => format.format(cents / 100)
