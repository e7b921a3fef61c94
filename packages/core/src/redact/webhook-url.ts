import type { Span } from './span.js'

/** Addresses where whoever knows the path may post: what stands before the secret part, and that part. */
const WEBHOOKS = [
  { mark: '.webhook.office.com/webhookb2/', secret: /[\w@./-]{60,300}/y },
  { mark: 'hooks.zapier.com/hooks/catch/', secret: /[\w/-]{8,100}/y },
  { mark: '.make.com/', secret: /[a-z0-9]{28,40}(?![\w-])/y },
  { mark: 'ifttt.com/', secret: /(?<=ifttt\.com\/)trigger\/[\w-]{1,64}\/(?:json\/)?with\/key\/[\w-]{16,}/y },
] as const

/** Adds the secret parts of webhook addresses that have no form of their own. */
export function findWebhooks(text: string, spans: Span[]): void {
  if (text.indexOf('://') < 0) return
  for (const { mark, secret } of WEBHOOKS) {
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + mark.length)) {
      secret.lastIndex = at + mark.length
      if (secret.test(text)) spans.push({ start: at + mark.length, end: secret.lastIndex, rule: 'webhook-url' })
    }
  }
}
