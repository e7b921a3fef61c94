// node .ci/count.mjs <vitest's JSON report> <exit code of the run>
// Prints the closing line of a run and exits with its code.
import { readFileSync } from 'node:fs'

const [path, exitCode] = process.argv.slice(2)

function read() {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(path, 'utf8'))
    return { passed: numPassedTests, failed: numFailedTests }
  } catch {
    return { passed: 0, failed: 0 } // the run ended before the tests did
  }
}

const { passed, failed } = read()
const code = Number(exitCode) || (failed > 0 || passed === 0 ? 1 : 0)

// A step other than a test can fail too (an import, a hook, the build); the line never calls that a success.
console.log(`${passed} passed, ${code === 0 ? 0 : Math.max(failed, 1)} failed`)
process.exitCode = code
