import { LITERAL_TAGS, TAG_KEYS } from '@reprise/core'

/** Keys that have a meaning in a file and not in a recorded value. */
export const SAME = '$same'
export const FIRST = '$first'
export const FROM = '$from'
export const BLOB = '$blob'
export const CHARS = '$chars'
/** Around an object of the user's whose keys would else be read as one of the above. */
export const KEPT = '$kept'

export const isFileTag = (key: string): boolean => key === SAME || key === BLOB || key === KEPT

/** Tags of the value codec and those of this package; anything else that looks like a tag was written by a newer version. */
export const KNOWN_TAGS: ReadonlySet<string> = new Set([...TAG_KEYS, SAME, FIRST, FROM, BLOB, CHARS, KEPT])

/** Tags whose body has the user's keys, so that one of them may begin with `$`. */
export const LITERAL_BODIES: ReadonlySet<string> = new Set([...LITERAL_TAGS, KEPT])
