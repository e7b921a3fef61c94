// Looks at what a doomed process has left, in a thread: whoever kills others must not be kept from it.
import { parentPort, workerData } from 'node:worker_threads'
import type { Durability } from '@reprise/recorder'
import { lookAfter } from './look-after.js'

const { folder, durability } = workerData as { readonly folder: string; readonly durability: Durability }
parentPort?.postMessage(lookAfter(folder, durability))
