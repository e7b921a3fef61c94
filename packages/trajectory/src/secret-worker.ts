import { parentPort } from 'node:worker_threads'
import { scan } from './secret-scanner.js'
import type { Scanned } from './secret-worker-client.js'

const answer = (scanned: Scanned): void => parentPort?.postMessage(scanned)

// One after the other: the answers are told apart by their order.
let last: Promise<void> = Promise.resolve()
parentPort?.on('message', (content: string) => {
  last = last
    .then(() => scan(content))
    .then(
      (found) => answer({ found, error: undefined }),
      (error: unknown) => answer({ found: [], error: String(error) }),
    )
})
