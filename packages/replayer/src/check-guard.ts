import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { Agent, createServer, get, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRepriseError, outsideFrames, resolveRedaction } from '@reprise/core'
import { createTrajectory, type Trajectory } from '@reprise/trajectory'
import { type Effect, guardEffects } from './guard-effects.js'
import { replay } from './replay.js'

/** What became of one effect that was tried under the guard. */
export interface GuardTrial {
  /** What was tried, and by which style of import. */
  readonly effect: string
  /** It got out: the server was asked, or a file was there afterwards. */
  readonly arrived: boolean
  /** The replay was told, and rejected with `GUARD_BLOCKED`. */
  readonly blocked: boolean
}

/** What {@link checkGuard} found. */
export interface GuardCheck {
  readonly trials: readonly GuardTrial[]
  /** The effects that got out, or of which the replay was not told: none, where the guard holds. */
  readonly leaks: readonly string[]
}

/**
 * Tries the guard of replays in this very process, with its loaders, mocks and instrumentation: real effects against a
 * server of its own on the loopback and in a temporary folder, each in the glue of a replay that hides every error. Among
 * them are requests over connections opened before, writes by handles opened before, and each style of import.
 */
export async function checkGuard(): Promise<GuardCheck> {
  return outsideFrames(async () => {
    const stage = await Stage.open()
    try {
      const trials: GuardTrial[] = []
      for (const [effect, attempt] of await guardEffects(stage)) trials.push(await stage.tryOut(effect, attempt))
      return { trials, leaks: trials.filter(({ arrived, blocked }) => arrived || !blocked).map(({ effect }) => effect) }
    } finally {
      await stage.close()
    }
  })
}

/** A server and a folder that show what arrives. */
class Stage {
  readonly agent = new Agent({ keepAlive: true })
  readonly onClose: (() => unknown)[] = []
  private requests = 0

  private constructor(
    private readonly server: Server,
    readonly folder: string,
  ) {
    server.on('request', (_, response) => {
      this.requests += 1
      response.end('arrived')
    })
    server.on('connection', () => {
      this.requests += 1
    })
  }

  static async open(): Promise<Stage> {
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return new Stage(server, mkdtempSync(join(tmpdir(), 'reprise-guard-check-')))
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}/`
  }

  /** A request that leaves a connection behind. */
  async connect(): Promise<void> {
    await (await fetch(this.url)).text()
    await new Promise((resolve, reject) => {
      const options = { host: '127.0.0.1', port: this.port, agent: this.agent }
      get(options, (response) => response.resume().once('end', resolve)).once('error', reject)
    })
  }

  async tryOut(effect: string, attempt: Effect): Promise<GuardTrial> {
    const before = this.seen()
    let blocked = false
    const glue = async (): Promise<void> => {
      try {
        await attempt()
      } catch {
        // As an agent would that hides every error.
      }
    }
    try {
      await replay(EMPTY, glue)
    } catch (error) {
      blocked = isRepriseError(error, 'GUARD_BLOCKED')
    }
    return { effect, arrived: this.seen() !== before, blocked }
  }

  async close(): Promise<void> {
    for (const close of this.onClose) await close()
    this.agent.destroy()
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
    rmSync(this.folder, { recursive: true, force: true })
  }

  private seen(): string {
    return `${this.requests} ${readdirSync(this.folder).join()}`
  }
}

export type { Stage }

/** The recording of a run that crossed nothing and returned nothing. */
const EMPTY: Trajectory = createTrajectory({
  manifest: {
    ...{
      id: 'guard check',
      title: 'guard check',
      input: null,
      outcome: { type: 'returned', value: { $undefined: true } },
    },
    ...{ complete: true, labels: {}, redaction: { spec: resolveRedaction(), hits: {} } },
    ...{ lossy: [], uncovered: [], outsideRun: [] },
  },
  envelopes: [],
  schedule: { turns: [], timers: [], ambient: { clock: [], clockAfter: [], crypto: [] } },
  startedAt: 0,
  durationMs: 0,
})
