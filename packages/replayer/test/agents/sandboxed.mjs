// Agents for the process of a sandbox: Node loads this file as it is.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { tool } from '@reprise/core'

// Taken before any guard stands: only the process's own permissions hold it.
const { writeFileSync: early } = { writeFileSync }

const look = tool('look', async (what) => ({ what, at: new Date(0), big: 7n, seen: new Map([['a', new Set([1])]]) }))
const act = tool('act', async (how, where) => {
  if (how === 'write') writeFileSync(where, 'a')
  if (how === 'write early') early(where, 'a')
  if (how === 'spawn') return execFileSync(process.execPath, ['-p', '1 + 1'], { encoding: 'utf8' })
  if (how === 'get') {
    return new Promise((resolve, reject) => {
      get(where, (response) => resolve(response.resume().statusCode)).once('error', reject)
    })
  }
  if (how === 'throw') throw Object.assign(new RangeError('too far'), { code: 'FAR' })
  return how
})

/** Looks, then acts. */
export async function agent({ how, where }) {
  const seen = await look('around')
  return { seen, acted: await act(how, where) }
}

/** Writes between its boundaries, and hides it. */
export async function leaky({ how, where }) {
  try {
    writeFileSync(where, 'a')
  } catch {
    // Goes on.
  }
  return agent({ how, where })
}

export async function changed(input) {
  return agent({ ...input, how: 'otherwise' })
}

export function spins() {
  for (;;);
}

export function leaves() {
  process.exit(3)
}

export default agent

/** Answers by a stream. */
export async function* streaming({ how }) {
  yield await look('around')
  yield how
}
