import { expect, it } from 'vitest'
import { decode, firstDifference, getPath, isRepriseError, type Json, opaquePaths } from '../../src/index.js'

const PART: Json = { $part: 1 }

/** What may hold another value, holding itself. */
const HOLDERS: readonly Json[] = [
  [PART],
  [PART, PART],
  { a: PART, b: PART },
  { $opaque: { class: 'X', data: PART } },
  { $opaque: { class: 'Headers', data: PART } },
  { $opaque: { class: 'X', data: { $ref: '0' } } },
  { $value: PART, $hidden: { a: 1 } },
  { $value: { $opaque: { class: 'X', data: PART } }, $hidden: {} },
  { $value: { $array: [], $extra: PART }, $hidden: {} },
  { $value: { $array: [1], $extra: { a: PART } }, $hidden: { b: PART } },
  { $array: [], $extra: PART },
  { $array: [PART], $extra: { a: PART } },
  { $error: { class: 'E', name: 'n', message: 'm', cause: PART, fields: { a: PART } } },
  { $map: [[PART, PART]] },
  { $set: [PART, PART] },
  { $esc: PART },
  { $null: { a: PART } },
  { $keys: { a: PART } },
  { $boxed: PART },
]

const ROOTS: readonly ((holder: Json) => Json)[] = [
  (holder) => ({ $deep: [PART, holder] }),
  (holder) => ({ $deep: [[PART, { $ref: '0.x' }, { $ref: '0' }, { $ref: '0.0' }], holder] }),
  (holder) => ({ $deep: [[{ $ref: '1.a.b.c' }, PART], holder] }),
]

/** How it ended: with a value, or an error that has a code. */
function end(run: () => unknown): string {
  try {
    run()
    return 'fine'
  } catch (error) {
    return isRepriseError(error) ? error.code : String(error)
  }
}

it('a part that stands inside itself ends every walk', () => {
  for (const holder of HOLDERS) {
    for (const root of ROOTS) {
      const json = root(holder)
      const ends = [
        end(() => decode(json)),
        end(() => opaquePaths(json, 'input')),
        end(() => firstDifference(json, structuredClone(json))),
        end(() => getPath(json, '0.a.b.c')),
        end(() => getPath(json, 'a.b.c')),
      ]
      expect([JSON.stringify(json), ends.filter((one) => one !== 'fine' && one !== 'FIXTURE_CORRUPT')]).toEqual([
        JSON.stringify(json),
        [],
      ])
    }
  }
})

it('parts that multiply are refused', () => {
  const ladder: Json = {
    $deep: [[PART], ...Array.from({ length: 40 }, (_, i) => [{ $part: i + 2 }, { $part: i + 2 }]), 1],
  }
  expect(end(() => decode(ladder))).toBe('FIXTURE_CORRUPT')
  expect(opaquePaths(ladder, 'input')).toEqual([])
  expect(firstDifference(ladder, structuredClone(ladder))).toBeUndefined()
})
