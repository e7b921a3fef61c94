import { type Sighting, scan } from './secret-scanner.js'
import { scanElsewhere } from './secret-worker-client.js'

export type { Sighting }

/** Whether this context can load the scanner, which is an ES module; undefined before it was tried. */
let canImport: boolean | undefined

/** What in a text looks like a secret. */
export async function sightings(content: string): Promise<readonly Sighting[]> {
  if (canImport === false) return scanElsewhere(content)
  try {
    return await scan(content)
  } catch (error) {
    // Runners that load CommonJS in a context of their own, as jest does, leave it without `import()`.
    const code = String((error as { code?: unknown }).code)
    if (!code.startsWith('ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING')) throw error
    canImport = false
    return scanElsewhere(content)
  }
}
