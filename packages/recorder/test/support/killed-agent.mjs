// Records a run and dies by SIGKILL inside a tool. Says on stdout what had settled before.
import { writeSync } from 'node:fs'
import { model, tool } from '@reprise/core'
import { createRecorder } from '@reprise/recorder'

const [, , journal, durability] = process.argv
const plan = model('plan', async (n) => {
  if (n % 2 === 0) await new Promise((resolve) => setTimeout(resolve, 1))
  return n + 1
})
const deleteFile = tool('delete_file', async (_path) => {
  process.kill(process.pid, 'SIGKILL')
  await new Promise(() => setInterval(() => undefined, 1_000))
})
await createRecorder({ journal, durability }).run({ id: 'doomed' }, async () => {
  for (let n = 0; n < 20; n += 1) {
    await plan(n)
    writeSync(1, `plan@${n + 1}\n`)
  }
  await deleteFile('/prod')
})
