import childProcess from 'node:child_process'
import defaultFs, { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http, { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DOORS, tool } from '@reprise/core'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { checkGuard, replay } from '../src/index.js'
import { recorded } from './support.js'

const require = createRequire(import.meta.url)
afterEach(() => {
  vi.useRealTimers()
})

/** Every property that a door stands in: its owner and what is there. */
function standing(): Map<string, PropertyDescriptor | undefined> {
  return new Map(
    DOORS.filter(({ at }) => /^(node:|globalThis)/.test(at[0])).map(({ at: [home, ...path] }) => {
      const name = path.pop() as string
      let owner: unknown = home === 'globalThis' ? globalThis : require(home)
      for (const step of path) owner = (owner as Record<string, unknown> | undefined)?.[step]
      return [[home, ...path, name].join('.'), owner ? Object.getOwnPropertyDescriptor(owner, name) : undefined]
    }),
  )
}

function expectUntouched(before: ReturnType<typeof standing>): void {
  for (const [name, descriptor] of standing()) {
    expect(descriptor, name).toEqual(before.get(name))
    expect(descriptor?.value, name).toBe(before.get(name)?.value)
  }
}

describe('checkGuard', () => {
  it('finds that nothing gets out, by no style of import and over nothing that is open', async () => {
    const before = standing()
    const { trials, leaks } = await checkGuard()
    expect(leaks).toEqual([])
    expect(trials.length).toBeGreaterThan(20)
    for (const { effect, arrived, blocked } of trials) expect([effect, arrived, blocked]).toEqual([effect, false, true])
    expectUntouched(before)
  })

  it('finds it under fake timers, twice at once, and beside a replay that allows everything', async () => {
    const before = standing()
    let effect = (): unknown => undefined
    const act = tool('act', async () => {
      await effect()
    })
    const dir = await recorded(async () => act())
    vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval', 'setImmediate', 'Date'] })
    const checks = [checkGuard(), checkGuard()]
    effect = async () => void (await Promise.all(checks))
    const allow = { network: ['*:*'], write: ['/'], spawn: true }
    await replay(dir, async () => act(), { breakpoint: 'act@1', guard: { allow }, timeoutMs: 15_000 })
    for (const { leaks } of await Promise.all(checks)) expect(leaks).toEqual([])
    vi.useRealTimers()
    expectUntouched(before)
  })

  it('tells of what gets out', async () => {
    const real = defaultFs.writeFileSync
    // As instrumentation that took the function before, and puts it back over everything.
    Object.defineProperty(defaultFs, 'writeFileSync', { get: () => real, configurable: true, enumerable: true })
    const { leaks } = await checkGuard()
    Object.defineProperty(defaultFs, 'writeFileSync', {
      value: real,
      configurable: true,
      enumerable: true,
      writable: true,
    })
    expect(leaks).toContain('fs.writeFileSync (require)')
    expect(leaks).not.toContain('fs.mkdirSync')
  })

  it('leaves everything at work', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'reprise-after-'))
    await checkGuard()
    const server = createServer((_, response) => response.end('here'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    expect(await (await fetch(url)).text()).toBe('here')
    expect(await new Promise((resolve) => http.get(url, (response) => resolve(response.resume().statusCode)))).toBe(200)
    writeFileSync(join(folder, 'a'), 'a')
    expect(existsSync(join(folder, 'a'))).toBe(true)
    expect(childProcess.execFileSync(process.execPath, ['-p', '1'], { encoding: 'utf8' })).toBe('1\n')
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true })
  })
})
