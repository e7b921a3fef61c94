import { SHARE_ENV } from 'node:worker_threads'
import type { Variable } from '../run.js'

/**
 * Ways to give a child one more environment variable. Each takes the arguments of a call that makes a child, and gives
 * them with the variable; what the host gave is copied, never changed.
 */
export type Telling = (given: readonly unknown[], variable: Variable) => readonly unknown[]

type Options = Readonly<Record<string, unknown>>

/** `ChildProcess.prototype.spawn({ envPairs })`, by which all asynchronous forms go. */
export const tellByPairs: Telling = ([options, ...rest], [name, value]) => {
  const { envPairs } = (options ?? {}) as { readonly envPairs?: readonly string[] }
  const others = (envPairs ?? []).filter((pair) => !pair.startsWith(`${name}=`))
  return [{ ...(options as Options), envPairs: [...others, `${name}=${value}`] }, ...rest]
}

/** `spawnSync(file, args?, options?)` and the like: the options stand last, if at all. */
export const tellByOptions =
  (mostArguments: number): Telling =>
  (given, variable) => {
    const at = given.findLastIndex((one) => typeof one === 'object' && one !== null && !Array.isArray(one))
    const options = { ...(at < 0 ? undefined : (given[at] as Options)) }
    const told = { ...options, env: withVariable(options.env, variable) }
    if (at >= 0) return given.with(at, told)
    return [...given.slice(0, mostArguments), told]
  }

/** `new Worker(file, { env })`. One that shares the parent's environment can't be told apart. */
export const tellWorker: Telling = (given, variable) => {
  const [file, options] = given as [unknown, Options | undefined]
  if (options?.env === SHARE_ENV) return given
  return [file, { ...options, env: withVariable(options?.env, variable) }]
}

const withVariable = (env: unknown, [name, value]: Variable): Options => ({
  ...((env ?? process.env) as Options),
  [name]: value,
})
