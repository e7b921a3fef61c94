import { KEY_FAMILIES } from './key-family.js'
import { PII_FINDERS } from './pii.js'
import { TOKEN_SHAPES } from './token-shapes.js'

/** A rule that comes with Reprise. */
export interface BuiltInRule {
  /** What stands in its pseudonyms and what `remove` names. */
  readonly id: string
  readonly title: string
  /** `default` rules are on, those of `pii` only with `pii: true`. */
  readonly set: 'default' | 'pii'
}

const TEXT_RULES = [
  { id: 'sendgrid-key', title: 'SendGrid API keys' },
  { id: 'google-access-token', title: 'Google OAuth access tokens' },
  { id: 'telegram-token', title: 'Telegram bot tokens' },
  { id: 'discord-token', title: 'Discord bot tokens' },
  { id: 'vault-token', title: 'HashiCorp Vault tokens' },
  { id: 'doppler-token', title: 'Doppler tokens' },
  { id: 'infisical-token', title: 'Infisical service tokens' },
  { id: 'dynatrace-token', title: 'Dynatrace tokens' },
  { id: 'dropbox-token', title: 'Dropbox access tokens' },
  { id: 'terraform-token', title: 'HCP Terraform tokens' },
  { id: 'linkedin-token', title: 'LinkedIn client secrets' },
  { id: 'yandex-token', title: 'Yandex Cloud access tokens' },
  { id: 'harness-token', title: 'Harness access tokens' },
  { id: 'paseto', title: 'PASETO tokens' },
  { id: 'deepl-key', title: 'DeepL keys of free accounts' },
  { id: 'snyk-token', title: 'Snyk tokens' },
  { id: 'airtable-token', title: 'Airtable personal access tokens' },
  { id: 'asana-token', title: 'Asana personal access tokens' },
  { id: 'azure-key', title: 'Azure keys that carry a mark: storage, search, functions, DevOps, AI services' },
  { id: 'azure-secret', title: 'Client secrets of Microsoft Entra applications' },
  { id: 'salesforce-token', title: 'Salesforce access tokens' },
  { id: 'mailchimp-key', title: 'Mailchimp API keys' },
  { id: 'jwt', title: 'JSON web tokens' },
  { id: 'pem', title: 'Private key blocks, PEM and PuTTY' },
  { id: 'password-hash', title: 'Hashes of passwords, as crypt, bcrypt and Argon2 write them' },
  { id: 'webhook-url', title: 'Webhook addresses that are secret as a whole' },
  { id: 'bearer', title: 'Bearer credentials' },
  { id: 'basic-auth', title: 'Basic credentials' },
  { id: 'url-password', title: 'Passwords in URLs, connection strings and curl -u' },
  { id: 'query-secret', title: 'Signatures and keys in query parameters' },
  { id: 'encoded-secret', title: 'Base64 and hexadecimal text that holds a secret' },
] as const

/** Every built-in rule, the default ones first. */
export const BUILT_IN_RULES: readonly BuiltInRule[] = [
  ...[...KEY_FAMILIES, ...TOKEN_SHAPES, ...TEXT_RULES].map(({ id, title }) => ({ id, title, set: 'default' as const })),
  ...PII_FINDERS.map(({ id, title }) => ({ id, title, set: 'pii' as const })),
].map((rule) => Object.freeze(rule))
