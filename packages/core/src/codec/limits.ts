/** Levels of JSON nesting that one part of an encoded value may have; deeper parts are hoisted into a `$deep` list. */
export const MAX_LEVEL = 96

/** Values one encoded value may hold; what comes after is marked as truncated. An endless chain of getters must end. */
export const MAX_NODES = 1_000_000

/** Characters of text one encoded value may hold. */
export const MAX_TEXT = 64 * 1024 * 1024

/** Digits of a whole number that is kept: reading one takes a time that grows faster than its length. */
export const MAX_DIGITS = 100_000

/** Class instances kept inside one another: a client reaches half the process through its sockets and agents. */
export const MAX_OPAQUE_NESTING = 8

/** Steps of a path that is reported; a longer one ends in `**`. */
export const MAX_REPORTED_STEPS = 1_000

/** Bytes of printable text that are searched for secrets when they come as a buffer. */
export const MAX_SCANNED_BYTES = 1024 * 1024
