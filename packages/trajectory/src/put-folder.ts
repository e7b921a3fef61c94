import { join, sep } from 'node:path'
import type { FileTexts } from './file-texts.js'
import type { Location } from './location.js'
import { oldFolder } from './old-folder.js'
import { exportFailed, systemNextStep } from './problems.js'
import { refuseSecrets } from './secret-gate.js'
import { swapFolder } from './swap.js'

/**
 * Passes the last gate and puts the files in the place of what stands there. From the second look at the folder on
 * nothing is awaited, so that no file that came in the meantime is overlooked. Throws `SECRET_IN_FIXTURE` and
 * `EXPORT_FAILED`, and then nothing has changed.
 */
export async function putFolder(location: Location, files: FileTexts): Promise<void> {
  const { said } = location
  await refuseSecrets(said, files)
  const old = oldFolder(location)
  const taken = old?.strays.find((name) => files.has(name))
  if (taken !== undefined) {
    const what = `holds ${taken}, which is not the fixture's but has a name it needs`
    throw exportFailed(said, what, `move ${join(said, taken)} away and export again`)
  }
  const path = old === undefined ? location.path : old.folder.location.path
  if (old !== undefined && (process.cwd() + sep).startsWith(path + sep)) {
    throw exportFailed(said, 'is the working directory, or holds it', "run from the project's own folder")
  }
  try {
    swapFolder(path, files, old?.strays ?? [])
  } catch (error) {
    throw exportFailed(said, 'could not be written; what was there before is untouched', systemNextStep(error), error)
  }
}
