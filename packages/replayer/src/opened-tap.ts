import { AnsweringTap, type Ask } from '@reprise/core'
import type { LiveStream } from './live-stream.js'

/** Answers the reading of a stream that stands for one of an opened crossing, whose code is read beside it. */
export class OpenedTap extends AnsweringTap {
  constructor(
    private readonly live: LiveStream,
    private readonly code: AsyncIterator<unknown>,
  ) {
    super()
  }

  read(ask: Ask): unknown {
    const { code } = this
    return this.live.read(ask, () => (ask.kind === 'next' ? code.next() : code.return?.(ask.value)))
  }
}
