import { createHook } from 'node:async_hooks'
import { currentFrame } from '@reprise/core'
import { Actual } from './actual.js'

/**
 * Node's own resources have names in capitals; what else there is are ticks, timers, which the schedule holds, and
 * resources of libraries, which tell nothing of work.
 */
const isWork = (type: string): boolean => /^[A-Z0-9]+$/.test(type)

/** Resources that live on after their work: they count for a while after their last event. */
const HANDLES =
  /WRAP$|^(ZLIB|BLOBREADER|HTTPINCOMINGMESSAGE|HTTPCLIENTREQUEST|MESSAGEPORT|WORKER|FILEHANDLE|FSEVENT|STREAM)/
/** A child process says nothing until it ends. */
const LASTS_UNTIL_END = new Set(['PROCESSWRAP'])
/** Requests end with their callback, though their name looks like a handle's. */
const REQUESTS =
  /^(GETADDRINFOREQWRAP|GETNAMEINFOREQWRAP|TCPCONNECTWRAP|PIPECONNECTWRAP|WRITEWRAP|SHUTDOWNWRAP|UDPSENDWRAP|QUERYWRAP)$/

const HANDLE_MS = 100
const clock = performance.now.bind(performance)

/**
 * I/O that the glue of one replay has under way, as far as Node tells: file and network requests, child processes,
 * compression, cryptography. While there is some, the schedule waits for what it may bring.
 */
export class OwnWork {
  private readonly requests = new Set<number>()
  private readonly handles = new Map<number, number>()
  /** What the code between the boundaries did, in Node's words: no recording holds the order in which that ends. */
  readonly ofGlue = new Set<string>()

  get busy(): boolean {
    if (this.requests.size > 0) return true
    const now = clock()
    for (const [id, last] of this.handles) {
      if (now - last < HANDLE_MS) return true
      this.handles.delete(id)
    }
    return false
  }

  began(id: number, type: string): void {
    if (HANDLES.test(type) && !REQUESTS.test(type) && !LASTS_UNTIL_END.has(type)) this.handles.set(id, clock())
    else this.requests.add(id)
  }

  /** Its callback has run. A request is over with it; says whether more may come. */
  stirred(id: number): boolean {
    this.requests.delete(id)
    if (!this.handles.has(id)) return false
    this.handles.set(id, clock())
    return true
  }

  over(id: number): void {
    this.requests.delete(id)
    this.handles.delete(id)
  }
}

const watched = new Map<number, OwnWork>()
let holders = 0
let hearsEnds = false

const hook = createHook({
  init(id, type) {
    if (type === 'PROMISE' || !isWork(type)) return
    const frame = currentFrame()
    const work = (frame?.run as { work?: unknown } | undefined)?.work
    if (!(work instanceof OwnWork)) return
    // Live code is waited for as a whole.
    if (frame?.crossing instanceof Actual && frame.crossing.inLiveCode) return
    watched.set(id, work)
    work.began(id, type)
    if (frame?.crossing === null) work.ofGlue.add(type)
    hearEnds()
  },
  after(id) {
    const work = watched.get(id)
    if (work !== undefined && !work.stirred(id)) watched.delete(id)
  },
})

const endHook = createHook({
  destroy(id) {
    watched.get(id)?.over(id)
    watched.delete(id)
  },
})

/** Only once there is work: who hears of ends has every promise of the process registered with the garbage collector. */
function hearEnds(): void {
  if (hearsEnds) return
  hearsEnds = true
  endHook.enable()
}

/** Watches for work while at least one replay runs: it makes every promise of the process a little dearer. */
export function watchWork(): () => void {
  holders += 1
  if (holders === 1) hook.enable()
  return () => {
    holders -= 1
    if (holders > 0) return
    hook.disable()
    endHook.disable()
    hearsEnds = false
    watched.clear()
  }
}
