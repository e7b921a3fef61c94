import type { Encoded } from '@reprise/core'
import type { Manifest } from '@reprise/trajectory'
import type { CrossingFacts, Ending } from '../crossing.js'
import type { StreamFacts } from '../recorded-stream.js'
import type { Recording } from '../recording.js'

/** What a manifest says that is only known at the run's end. */
export type RunHead = Pick<Manifest, 'outcome' | 'redactions' | 'lossy' | 'complete' | 'uncovered' | 'outsideRun'>

/** What a recording tells its journal. Nothing of it ever throws. */
export interface RunJournal {
  opened(run: Recording, input: Encoded): void
  /** A crossing has started inside the one with the seq `parent`; 0 for the run itself. */
  began(crossing: CrossingFacts, parent: number): void
  /** A crossing has handed out a stream. */
  streaming(crossing: CrossingFacts, stream: StreamFacts): void
  /** A stream has handed out a chunk. */
  chunk(seq: number, stream: StreamFacts): void
  /** A stream was read a second time: what was kept of it is not all. */
  readAgain(seq: number): void
  settled(crossing: CrossingFacts, ending: Ending): void
  closed(head: RunHead, durationMs: number): void
  /** Whether something of this run could not be written. */
  readonly isLost: boolean
  /** Whether what it is told is still written. */
  readonly isOpen: boolean
  /** The journal's folder. */
  readonly dir: string
}
