import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { outsideFrames, RepriseError, realTimers } from '@reprise/core'
import { exportTrajectory, loadTrajectory, type Trajectory } from '@reprise/trajectory'
import { badOption } from './check-options.js'
import { foldersOf } from './guard-path.js'
import type { GuardAllow, ReplayOptions, RunReference } from './options.js'
import type { ReplayResult } from './result.js'
import { type SandboxReply, type SandboxTask, unwireError, unwireResult, wireOptions } from './sandbox-wire.js'

const { clearTimeout, setTimeout } = realTimers

/** Starting Node and loading the agent's modules may take so long, in milliseconds. */
const START_MS = 30_000
/** So long, beyond the time without progress that the replay itself allows, may the process be silent. */
const SILENCE_MS = 2_000

/**
 * Replays a run in a process of its own. Node's permission model denies it files, processes, workers and addons; the
 * guard stays on inside.
 */
export async function replayInProcess<T>(
  source: string | URL | Trajectory,
  agent: RunReference,
  options: ReplayOptions,
): Promise<ReplayResult<T>> {
  const wiredOptions = wireOptions(options)
  return outsideFrames(async () => {
    const trajectory = typeof source === 'string' || source instanceof URL ? await loadTrajectory(source) : source
    const fixture = await Fixture.of(trajectory)
    try {
      const patience = (options.timeoutMs ?? 4_000) + SILENCE_MS
      const task: SandboxTask = {
        ...{ fixture: fixture.dir, module: urlOf(agent.module), export: agent.export ?? 'default' },
        ...{ options: wiredOptions, beatMs: Math.max(10, patience / 20) },
      }
      const reply = await ask(task, permissions(options.guard?.allow ?? {}), patience)
      if (reply.type === 'error') throw unwireError(reply.error)
      return unwireResult<T>(trajectory, reply.result)
    } finally {
      fixture.remove()
    }
  })
}

/** A trajectory's folder; one that is only in memory gets a temporary one. */
class Fixture {
  private constructor(
    readonly dir: string,
    private readonly temporary: string | undefined,
  ) {}

  static async of(trajectory: Trajectory): Promise<Fixture> {
    if (trajectory.dir !== undefined) return new Fixture(resolve(trajectory.dir), undefined)
    const root = mkdtempSync(join(tmpdir(), 'reprise-sandbox-'))
    const fixture = new Fixture(join(root, 'fixture'), root)
    try {
      await exportTrajectory(trajectory, fixture.dir)
    } catch (error) {
      fixture.remove()
      throw error
    }
    return fixture
  }

  remove(): void {
    if (this.temporary !== undefined) rmSync(this.temporary, { recursive: true, force: true })
  }
}

type Answer = Exclude<SandboxReply, { type: 'alive' }>

/** Gives the task to a fresh process and waits for its answer, as long as it gives signs of life. */
function ask(task: SandboxTask, flags: readonly string[], patience: number): Promise<Answer> {
  const child = spawn(process.execPath, [...flags, fileURLToPath(CHILD)], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  return new Promise<Answer>((done, fail) => {
    let watch: ReturnType<typeof setTimeout> | undefined
    const expectWord = (ms: number): void => {
      clearTimeout(watch)
      watch = setTimeout(() => {
        fail(silent(task, ms))
        end(child)
      }, ms)
    }
    expectWord(START_MS)
    child.on('message', (message) => {
      const reply = message as SandboxReply
      if (reply.type === 'alive') {
        expectWord(reply.isLoaded ? patience : START_MS)
        return
      }
      clearTimeout(watch)
      done(reply)
      // It ends by itself, unless what the agent left behind keeps it.
      setTimeout(() => end(child), SILENCE_MS).unref()
    })
    child.on('error', (cause) => {
      clearTimeout(watch)
      fail(died(task, String(cause)))
    })
    child.once('exit', (code, signal) => {
      clearTimeout(watch)
      const tell = (): void => fail(died(task, signal === null ? `with code ${code}` : `by ${signal}`))
      // An answer may still be on its way.
      if (child.connected) child.once('disconnect', tell)
      else tell()
    })
    child.send(task)
  })
}

function end(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
}

/** What Node is told to permit. Reading is free, as under the guard. */
function permissions({ write = [], spawn: maySpawn = false }: GuardAllow): string[] {
  const known = process.allowedNodeEnvironmentFlags
  const isStable = known.has('--permission')
  return [
    ...(isStable ? ['--permission'] : ['--experimental-permission', '--disable-warning=ExperimentalWarning']),
    '--allow-fs-read=*',
    ...foldersOf(write).map((folder) => `--allow-fs-write=${patternOf(folder)}`),
    // The warning says what the option's docs say.
    ...(maySpawn ? ['--allow-child-process', '--allow-worker', '--disable-warning=SecurityWarning'] : []),
    // Where the model denies the network as well, the guard inside tells hosts apart.
    ...(known.has('--allow-net') ? ['--allow-net'] : []),
  ]
}

/** A folder with everything in it, or a file. */
function patternOf(place: string): string {
  if (/[*,]/.test(place)) {
    const problem = `holds ${JSON.stringify(place)}, whose comma or asterisk Node's permission model would take for its own`
    throw badOption('guard.allow.write', problem, 'allow a folder of another name, or replay without a sandbox')
  }
  return statSync(place, { throwIfNoEntry: false })?.isFile() ? place : join(place, '*')
}

const urlOf = (module: string | URL): string =>
  module instanceof URL || module.startsWith('file:') ? String(module) : pathToFileURL(resolve(module)).href

// In the sources this file lies beside the folder of the built ones, in the build in it.
const CHILD = new URL('../dist/sandbox-child.js', import.meta.url)

const silent = ({ module }: SandboxTask, ms: number): RepriseError =>
  new RepriseError('REPLAY_STALLED', {
    message: `the process of the sandbox that replays ${module} gave no sign of life for ${Math.round(ms)} ms, and was ended`,
    details: { module, idleMs: ms },
    next: 'look for a loop in the agent that never yields; give slow synchronous code more time with timeoutMs',
  })

const died = ({ module }: SandboxTask, how: string): RepriseError =>
  new RepriseError('RUN_THREW', {
    message: `the process of the sandbox that replays ${module} ended ${how} before the replay did`,
    details: { module },
    next: 'look for process.exit in the agent, and at what the process printed',
  })
