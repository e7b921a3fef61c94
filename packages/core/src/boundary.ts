import { promisify, types } from 'node:util'
import { isBoundaryName } from './address.js'
import { currentFrame } from './context.js'
import { type AnyMethod, decorate, type MethodDecorator } from './decorate.js'
import { RepriseError } from './errors.js'
import { callOutside } from './outside.js'
import { cleanMessage } from './redact/clean-message.js'
import type { Boundary, BoundaryOptions } from './run.js'
import { shared } from './shared.js'

/** Boundaries of async functions: what they are cannot be seen from the outside, and a boundary may wrap a boundary. */
const asyncBoundaries = shared('async boundaries', () => new WeakSet<object>())

/** Any function that can be a boundary. */
export type AnyFunction = (...args: never[]) => unknown

/** Options of one boundary, with `meta`, `input` and `revive` typed after the function. */
export interface OptionsFor<F extends AnyFunction> extends Omit<BoundaryOptions, 'meta' | 'input' | 'revive'> {
  readonly meta?:
    | Readonly<Record<string, unknown>>
    | ((input: Parameters<F>, output: Awaited<ReturnType<F>>) => Readonly<Record<string, unknown>>)
  readonly input?: (...args: Parameters<F>) => readonly unknown[]
  readonly revive?: (value: never) => Awaited<ReturnType<F>>
}

/** A maker of boundaries of one kind: as a wrapper around a function, or as a method decorator. */
export interface BoundaryMaker {
  <F extends AnyFunction>(name: string, fn: F, options?: Omit<OptionsFor<F>, 'kind'>): F
  (name: string, options?: Omit<BoundaryOptions, 'kind'>): MethodDecorator
}

/**
 * Makes a function a boundary: what crosses it is recorded in a run, and answered in a replay. Outside a run it is
 * a plain call. The result has the type, name, length, `this` and own properties of the function given.
 *
 * @throws RepriseError `BAD_BOUNDARY` for an empty or padded name, or something that is no function.
 */
export function boundary<F extends AnyFunction>(name: string, fn: F, options: OptionsFor<F> = {}): F {
  return make(name, fn, options, new Map())
}

/** @param made the boundaries under the same name that are being made, by their functions */
function make<F extends AnyFunction>(name: string, fn: F, options: OptionsFor<F>, made: Map<unknown, AnyFunction>): F {
  if (!isBoundaryName(name))
    throw badBoundary(
      `a boundary's name must be non-empty text without padding, got ${JSON.stringify(name) ?? String(name)}`,
    )
  if (typeof fn !== 'function')
    throw badBoundary(`boundary "${name}" was given ${fn === null ? 'null' : typeof fn} instead of a function`)
  const self: Boundary = {
    // It stands in addresses, file names and messages, and a replay must find it again.
    name: cleanMessage(name),
    kind: cleanMessage(options.kind ?? 'boundary'),
    fn: fn as unknown as Boundary['fn'],
    isAsync: asyncBoundaries.has(fn) || (types.isAsyncFunction(fn) && !types.isGeneratorFunction(fn)),
    options: options as unknown as BoundaryOptions,
  }
  const wrapper = function (this: unknown, ...args: unknown[]): unknown {
    const frame = currentFrame()
    return frame === undefined ? callOutside(self, this, args) : frame.run.cross(self, this, args, frame.crossing)
  }
  if (self.isAsync) asyncBoundaries.add(wrapper)
  made.set(fn, wrapper)
  return dressAs(wrapper, fn, made, (other) => make(name, other as F, options, made))
}

/** A boundary at which the agent asks a model. */
export const model = maker('model')
/** A boundary at which the agent acts or looks something up. */
export const tool = maker('tool')
/** A boundary at which the agent decides where to go next. */
export const router = maker('router')

function maker(kind: string): BoundaryMaker {
  return ((name: string, second?: unknown, third?: BoundaryOptions) => {
    if (typeof second === 'function')
      return boundary(name, second as AnyFunction, { ...third, kind } as OptionsFor<AnyFunction>)
    if (second !== undefined && (second === null || typeof second !== 'object')) {
      throw badBoundary(`${kind} "${name}" was given ${second === null ? 'null' : typeof second} instead of a function`)
    }
    const wrap = (fn: AnyMethod) =>
      boundary(name, fn, { ...(second as BoundaryOptions), kind } as OptionsFor<AnyFunction>)
    if (!isBoundaryName(name)) wrap(() => undefined)
    return decorate(kind, name, wrap as (fn: AnyMethod) => AnyMethod)
  }) as BoundaryMaker
}

/**
 * Makes a wrapper look like the function it wraps: prototype chain (`AsyncFunction`), name, length, own properties. None
 * of them may lead around the boundary: not to the function itself, as the `default` of a CommonJS module does, nor to
 * what `util.promisify` calls in its place.
 */
function dressAs<F extends AnyFunction>(
  wrapper: (...args: never[]) => unknown,
  fn: F,
  made: ReadonlyMap<unknown, AnyFunction>,
  wrap: (other: AnyFunction) => AnyFunction,
): F {
  Object.setPrototypeOf(wrapper, Object.getPrototypeOf(fn))
  for (const key of Reflect.ownKeys(fn)) {
    if (key === 'prototype' || key === 'arguments' || key === 'caller') continue
    const descriptor = Object.getOwnPropertyDescriptor(fn, key)
    if (descriptor === undefined) continue
    const known = made.get(descriptor.value)
    if (known !== undefined) descriptor.value = known
    else if (key === promisify.custom && typeof descriptor.value === 'function') {
      descriptor.value = wrap(descriptor.value)
    }
    Object.defineProperty(wrapper, key, descriptor)
  }
  return wrapper as unknown as F
}

const badBoundary = (message: string): RepriseError =>
  new RepriseError('BAD_BOUNDARY', {
    message,
    next: "give a name and a function: tool('search', async (query: string) => …)",
  })
