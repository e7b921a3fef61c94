import { tool } from '@reprise/core'

/** A tracking service that does not answer the first time it is asked. */
export function flakyTracking(): (parcel: string) => Promise<string> {
  let asked = 0
  return async (parcel) => {
    asked += 1
    if (asked === 1) throw new Error('tracking did not answer')
    return `${parcel} is in the van`
  }
}

/**
 * An agent that asks again when a look-up fails, `attempts` times in all. It catches everything and always has an
 * answer, which is just how a lost retry stays unseen.
 */
export function trackingAgent(attempts: number, track: (parcel: string) => Promise<string> = flakyTracking()) {
  const lookUp = tool('track_parcel', track)
  return async (parcel: string): Promise<string> => {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      try {
        return `Good news: ${await lookUp(parcel)}.`
      } catch {
        // asked again, as long as there are attempts
      }
    }
    return `I could not find out where ${parcel} is.`
  }
}
