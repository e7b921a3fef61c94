import { isRepriseError } from '@reprise/core'
import { record } from '@reprise/recorder'
import { replay } from '@reprise/replayer'
import { trackingAgent } from '../retrying-lookup.js'

/** Records an agent that asks twice, takes its second attempt away, and gives back what the replay says to that. */
export async function loseTheRetry(dir: string): Promise<{ before: string; error: Error }> {
  const recorded = await record(dir, trackingAgent(2), { input: 'parcel 8804', rerun: 'npm run demo', journal: false })
  try {
    await replay(dir, trackingAgent(1))
  } catch (error) {
    if (isRepriseError(error, 'CALL_COUNT_MISMATCH')) return { before: recorded.value(), error }
    throw error
  }
  throw new Error('the lost retry went unnoticed')
}
