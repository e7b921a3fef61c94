// Makes crossings and says on stdout, after each, that it has settled. Then ends as it is told to.
import { writeSync } from 'node:fs'
import { tool } from '@reprise/core'
import { record } from '@reprise/recorder'

const [, , how, dir, journal] = process.argv
const step = tool('step', async (n) => ({ n, pad: 'x'.repeat(20_000) }))
const last = tool('last', async () => 'the answer')
void record(
  dir,
  async () => {
    for (let n = 1; how.startsWith('SIG') && n <= 400; n += 1) {
      await step(n)
      writeSync(1, `${n}\n`)
    }
    await last()
    writeSync(1, 'last\n')
    if (how === 'exit') process.exit(0)
    if (how === 'throw')
      setTimeout(() => {
        throw new Error('uncaught')
      })
    if (how === 'reject') void Promise.reject(undefined)
    if (how === 'kill') process.kill(process.pid, 'SIGTERM')
    if (how !== 'end') await new Promise(() => setInterval(() => undefined, 1_000))
  },
  { journal },
)
