import { createRequire } from 'node:module'
import { devNull } from 'node:os'
import { PassThrough } from 'node:stream'
import { outsideFrames } from '../context.js'
import { shared } from '../shared.js'

/**
 * Prototypes that no module hands out: they are learnt from an object. A replay does so before it begins, since a
 * handle or a session may be open already. A recording only notes what happens, and opens nothing of its own for it:
 * it sees a handle being opened, by `fs.promises.open`, and not what is written by it.
 */
interface HiddenClasses {
  FileHandle: object | undefined
  Http2Session: object | undefined
}

export const hiddenClasses = shared(
  'hidden classes',
  (): HiddenClasses => ({ FileHandle: undefined, Http2Session: undefined }),
)

/** Opens one of each, outside every run: the null device for reading, and a session over no connection. */
export async function learnHiddenClasses(): Promise<void> {
  if (hiddenClasses.FileHandle !== undefined) return
  const require = createRequire(`${process.cwd()}/noop.js`)
  await outsideFrames(async () => {
    const { connect } = require('node:http2') as typeof import('node:http2')
    const session = connect('http://localhost', { createConnection: () => new PassThrough() })
    session.on('error', () => undefined)
    hiddenClasses.Http2Session = Object.getPrototypeOf(session) as object
    session.destroy()
    const { promises } = require('node:fs') as typeof import('node:fs')
    const handle = await promises.open(devNull, 'r')
    hiddenClasses.FileHandle = Object.getPrototypeOf(handle) as object
    await handle.close()
  })
}
