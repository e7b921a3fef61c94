// Writes a file outside every boundary and is killed inside a tool.
import { writeFileSync } from 'node:fs'
import { tool } from '@reprise/core'
import { createRecorder } from '@reprise/recorder'

const [journal, file] = process.argv.slice(2)
const act = tool('act', async () => {
  process.kill(process.pid, 'SIGKILL')
  await new Promise((resolve) => setTimeout(resolve, 10_000))
})

await createRecorder({ journal }).run({ id: 'dies' }, async () => {
  for (let times = 0; times < 3; times += 1) writeFileSync(file, 'x')
  await act()
})
