// A program with boundaries of its own, which knows nothing of recorders: as a child process, and as a worker.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isMainThread, parentPort, workerData } from 'node:worker_threads'
import { tool } from '@reprise/core'

const search = tool('search', async (query) => [query, query.length])
const research = tool('research', async (topic) => [await search(topic), await search(`${topic}s`)])
const delegate = tool('delegate', async (topic) => {
  const { stdout } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), 'search', topic], {
    encoding: 'utf8',
  })
  return stdout
})

const [what, topic] = isMainThread ? process.argv.slice(2) : workerData
const result = await { search, research, delegate }[what](topic)
if (isMainThread) process.stdout.write(JSON.stringify(result))
else parentPort.postMessage(result)
