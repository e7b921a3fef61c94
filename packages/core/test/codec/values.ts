import fc from 'fast-check'

const key = fc.oneof(
  { weight: 6, arbitrary: fc.string({ maxLength: 6 }) },
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    '$ref',
    '$map',
    '$esc',
    '$',
    'a.b',
    '',
    '0',
    '12',
    '\ud800x',
    '*',
  ),
)

const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.constantFrom('\ud800', 'x\udc00\ud800y', '日本'))

const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -0, Number.NaN, Infinity, -Infinity))

const plainLeaf = fc.oneof(text, number, fc.boolean(), fc.constant(null), fc.constant(undefined), fc.bigInt())

/** An object with the keys given, `__proto__` as an own one. */
export function objectOf(
  entries: readonly (readonly [string, unknown])[],
  proto: object | null = Object.prototype,
): object {
  const made = Object.create(proto) as object
  for (const [name, value] of entries) {
    Object.defineProperty(made, name, { value, writable: true, enumerable: true, configurable: true })
  }
  return made
}

function objects(value: fc.Arbitrary<unknown>): fc.Arbitrary<object> {
  return fc.array(fc.tuple(key, value), { maxLength: 5 }).map((entries) => objectOf(entries))
}

/** Trees of plain objects and lists over everything that stands for itself. */
export const plainTree: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    plainLeaf,
    fc.array(tie('tree'), { maxLength: 5 }),
    objects(tie('tree')),
  ),
})).tree

/** Trees of JSON alone. */
export const jsonTree = fc.jsonValue({ maxDepth: 5 })

const bytes = fc.uint8Array({ maxLength: 24 }).chain((data) =>
  fc
    .constantFrom(
      () => Buffer.from(data),
      () => Uint8Array.from(data),
      () => Uint8ClampedArray.from(data),
      () => Int8Array.from(data),
      () => Uint16Array.from(data),
      () => Int32Array.from(data),
      () => Float32Array.from(data),
      () => Float64Array.from(data, (item) => item / 3),
      () => BigInt64Array.from(data, (item) => BigInt(item)),
      () => Uint8Array.from(data).buffer,
      () => new DataView(Uint8Array.from(data).buffer),
    )
    .map((make): unknown => make()),
)

const exoticLeaf = fc.oneof(
  plainLeaf,
  bytes,
  fc.date({ noInvalidDate: true }),
  fc.webUrl().map((href) => new URL(href)),
  fc.constantFrom(/a+/g, /[/\]]/imsu, /(?<x>b)/y).map((pattern) => {
    const copy = new RegExp(pattern)
    copy.lastIndex = pattern.source.length
    return copy
  }),
  fc.string().map((name) => Symbol.for(name)),
  fc.constantFrom(Symbol.iterator, Symbol.asyncIterator, Symbol.for('Symbol.iterator')),
  fc.oneof(fc.string(), fc.double(), fc.boolean(), fc.bigInt()).map((value): unknown => Object(value)),
)

const HOLE = Symbol('hole')

/** What may stand beside the items of a list. */
const name = key.filter((text) => text !== '' && text !== 'length' && Number.isNaN(Number(text)))

const ERRORS = [Error, TypeError, RangeError, SyntaxError]

/** Trees of everything that is kept exactly. */
export const anyTree: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    exoticLeaf,
    fc.array(tie('tree'), { maxLength: 5 }),
    fc.array(fc.option(tie('tree'), { nil: HOLE }), { maxLength: 6 }).map(withHoles),
    fc
      .tuple(
        fc.array(fc.option(tie('tree'), { nil: HOLE }), { maxLength: 3 }),
        fc.array(fc.tuple(name, tie('tree')), { maxLength: 3 }),
      )
      .map(([items, named]) => named.reduce((list, [key, value]) => withName(list, key, value), withHoles(items))),
    objects(tie('tree')),
    fc.array(fc.tuple(key, tie('tree')), { maxLength: 5 }).map((entries) => objectOf(entries, null)),
    fc.array(fc.tuple(tie('tree'), tie('tree')), { maxLength: 4 }).map((entries) => new Map(entries)),
    fc.array(tie('tree'), { maxLength: 4 }).map((items) => new Set(items)),
    fc.tuple(fc.constantFrom(...ERRORS), fc.string(), tie('tree')).map(([Class, message, cause]) => {
      return new Class(message, { cause })
    }),
    fc.tuple(fc.string(), fc.array(tie('tree'), { maxLength: 3 })).map(([message, errors]) => {
      return new AggregateError(errors, message)
    }),
  ),
})).tree

function withName(list: unknown[], key: string, value: unknown): unknown[] {
  return Object.defineProperty(list, key, { value, writable: true, enumerable: true, configurable: true })
}

function withHoles(items: unknown[]): unknown[] {
  const list: unknown[] = []
  list.length = items.length
  items.forEach((item, i) => {
    if (item !== HOLE) list[i] = item
  })
  return list
}

/** Containers that refer to one another any way they like, the first being the root. */
export const graph: fc.Arbitrary<unknown> = fc
  .array(fc.tuple(fc.constantFrom('object', 'list', 'map', 'set', 'error'), fc.array(fc.nat(11), { maxLength: 4 })), {
    minLength: 1,
    maxLength: 8,
  })
  .map((specs) => {
    const nodes = specs.map(([type]) => EMPTY[type]?.())
    specs.forEach(([, edges], from) => {
      for (const [place, to] of edges.entries()) link(nodes[from], place, to < nodes.length ? nodes[to] : to)
    })
    return nodes[0]
  })

const EMPTY: Readonly<Record<string, () => unknown>> = {
  object: () => ({}),
  list: () => [],
  map: () => new Map(),
  set: () => new Set(),
  error: () => new Error('of a graph'),
}

function link(from: unknown, place: number, to: unknown): void {
  if (Array.isArray(from)) from.push(to)
  else if (from instanceof Map) from.set(place === 0 ? to : place, to)
  else if (from instanceof Set) from.add(to)
  else Object.assign(from as object, { [`edge ${place}`]: to })
}
