// Records a run and dies by SIGKILL after three chunks of a stream, and a turn of the event loop.
import { model } from '@reprise/core'
import { createRecorder } from '@reprise/recorder'

const words = model('words', async function* () {
  for (const word of ['one ', 'two ', 'three ', 'four']) yield { word }
})
await createRecorder({ journal: process.argv[2] }).run({ id: 'doomed' }, async () => {
  let read = 0
  for await (const _ of words()) {
    read += 1
    if (read < 3) continue
    await new Promise((resolve) => setTimeout(resolve, 5))
    process.kill(process.pid, 'SIGKILL')
  }
})
