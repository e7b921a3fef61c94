// A program with a boundary of its own.
import { tool } from '@reprise/core'

const shout = tool('shout', async (word) => word.toUpperCase())
process.stdout.write(await shout(process.argv[2]))
