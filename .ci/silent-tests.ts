import { format } from 'node:util'
import { afterAll, afterEach } from 'vitest'

// A test that prints fails: whatever it has to say belongs in an assertion. What a test's child process prints is
// the child's own. To check what code prints, put a spy on the method; the spy stands in front of this one.
const printed: string[] = []

for (const method of ['debug', 'dir', 'error', 'info', 'log', 'table', 'trace', 'warn'] as const) {
  console[method] = (...args: unknown[]) => {
    printed.push(`console.${method}(${format(...args)})`)
  }
}

for (const name of ['stdout', 'stderr'] as const) {
  process[name].write = ((chunk: unknown, ...rest: unknown[]) => {
    printed.push(`process.${name}.write(${chunk})`)
    const done = rest.at(-1)
    if (typeof done === 'function') queueMicrotask(() => done())
    return true
  }) as typeof process.stdout.write
}

function failIfPrinted(): void {
  const lines = printed.splice(0)
  if (lines.length === 0) return
  throw new Error(`a test must not print, but this one did:\n${lines.map((line) => `  ${line}`).join('\n')}`)
}

afterEach(failIfPrinted)
afterAll(failIfPrinted)
