import { realTimers } from '../real-timers.js'
import type { HeldTimer } from '../run.js'
import type { TimerKind } from '../schedule.js'
import { shared } from '../shared.js'

const { clearImmediate, clearTimeout, setImmediate, setTimeout } = realTimers

/** What a held timer's handle stands for. */
interface HeldState {
  readonly kind: TimerKind
  readonly hold: HeldTimer
  /** The number that Node gave the handle; for timeouts and intervals. */
  readonly id: number | undefined
  /** `idle`: it has fired, and fires again when it is refreshed. */
  phase: 'armed' | 'idle' | 'over'
  refed: boolean
}

// Registered: a second copy of this package must know the handles of the first.
const STATE = Symbol.for('reprise.held.1')

interface HeldHandle {
  [STATE]: HeldState
}

/** The handles whose number has been asked for: nothing but the number leads back to them. */
const byNumber = shared('held timers', () => new Map<number, HeldHandle>())

/**
 * A handle of the class its maker expects, for a timer that the run holds. The real timer is made and cleared at
 * once: it costs no slot of the event loop, and keeps neither the process nor the run alive.
 */
export function heldHandle(kind: TimerKind, hold: HeldTimer): object {
  const make = kind === 'immediate' ? inertImmediate : inertTimeout
  const { handle, id } = make()
  Object.defineProperty(handle, STATE, { value: { kind, hold, id, phase: 'armed', refed: true } satisfies HeldState })
  Object.setPrototypeOf(handle, kind === 'immediate' ? immediateMethods : timeoutMethods)
  return handle
}

/** A held timer fires: only an interval goes on by itself. */
export function heldFires(handle: object): void {
  const { [STATE]: state } = handle as HeldHandle
  if (state.kind !== 'interval' && state.phase === 'armed') leave(state, 'idle')
}

/** Its run is over. */
export const dropHeld = (handle: object): void => leave((handle as HeldHandle)[STATE], 'over')

/** Cancels a held timer by what its maker has of it: the handle or its number. Says whether it is one. */
export function cancelHeld(given: unknown): boolean {
  const handle = typeof given === 'object' && given !== null ? given : byNumber.get(numberIn(given))
  const state = (handle as HeldHandle | undefined)?.[STATE]
  if (state === undefined) return false
  const wasArmed = state.phase === 'armed'
  leave(state, 'over')
  if (wasArmed) state.hold.cancel()
  return true
}

const numberIn = (given: unknown): number =>
  typeof given === 'number' || typeof given === 'string' ? Number(given) : Number.NaN

function leave(state: HeldState, phase: 'idle' | 'over'): void {
  if (state.phase === 'over') return
  state.phase = phase
  if (state.id !== undefined) byNumber.delete(state.id)
}

function inertTimeout(): { handle: object; id: number } {
  const handle = setTimeout(nothing, 1)
  // Asked for before it is cleared: afterwards, Node would keep the handle in its table of numbers for ever.
  const id = Number(handle)
  clearTimeout(handle)
  return { handle, id }
}

function inertImmediate(): { handle: object; id: undefined } {
  const handle = setImmediate(nothing)
  clearImmediate(handle)
  return { handle, id: undefined }
}

function nothing(): void {}

const common = {
  ref(this: HeldHandle) {
    this[STATE].refed = true
    return this
  },
  unref(this: HeldHandle) {
    this[STATE].refed = false
    return this
  },
  hasRef(this: HeldHandle) {
    return this[STATE].refed
  },
}

/** What a handle can do, over the prototype of Node's own, whose methods would wake the inert timer. */
function methodsOver(handle: object, own: object): object {
  const dispose = (Symbol as { dispose?: symbol }).dispose
  const methods = { ...common, ...own }
  if (dispose !== undefined)
    Object.defineProperty(methods, dispose, {
      value(this: HeldHandle) {
        cancelHeld(this)
      },
      enumerable: false,
    })
  for (const name of Object.keys(methods)) Object.defineProperty(methods, name, { enumerable: false })
  return Object.setPrototypeOf(methods, Object.getPrototypeOf(handle)) as object
}

const immediateMethods = methodsOver(inertImmediate().handle, {})
const timeoutMethods = methodsOver(inertTimeout().handle, {
  close(this: HeldHandle) {
    cancelHeld(this)
    return this
  },
  refresh(this: HeldHandle) {
    const state = this[STATE]
    if (state.phase === 'over' || state.hold.refresh === undefined) return this
    state.phase = 'armed'
    state.hold.refresh()
    return this
  },
  [Symbol.toPrimitive](this: HeldHandle) {
    const state = this[STATE]
    if (state.id !== undefined && state.phase !== 'over') byNumber.set(state.id, this)
    return state.id
  },
})
