// node killed-secret.mjs <folder>: records a stream that hands out a secret in pieces, and dies before its end.
import { model } from '@reprise/core'
import { createRecorder } from '@reprise/recorder'

const token = ['gh', 'p_', 'Rk4T7mQ2'.repeat(4), 'Wz9b'].join('')
const words = model('words', async function* () {
  for (const word of ['it is gh', token.slice(2, 20), token.slice(20), ' and']) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    yield { word }
  }
  await new Promise((resolve) => setTimeout(resolve, 60_000))
})

const recorder = createRecorder({ journal: process.argv[2] })
await recorder.run({ id: 'doomed' }, async () => {
  let count = 0
  for await (const _ of words()) if (++count === 4) setTimeout(() => process.kill(process.pid, 'SIGKILL'), 20)
})
