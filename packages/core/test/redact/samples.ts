import { createRedactor } from '../../src/redact/create-redactor.js'
import { RecordingBook } from '../../src/redact/recording-book.js'
import type { Redactor } from '../../src/redact/redactor.js'
import { resolveRedaction } from '../../src/redact/resolve-redaction.js'
import type { RedactOptions } from '../../src/redact/spec.js'

// Every secret here is made up, and put together from harmless parts at run time: no scanner trips on this file.
const UPPER = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const DIGITS = '0123456789'
const HEX = '0123456789abcdef'
const ALNUM = UPPER + UPPER.toLowerCase() + DIGITS
const URL_SAFE = `${ALNUM}_-`

/** A body of so many characters; the same seed gives the same one. */
export function body(length: number, alphabet = ALNUM, seed = 1): string {
  let state = seed * 7_919 + length
  let text = ''
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    text += alphabet.charAt((state >>> 8) % alphabet.length)
  }
  return text
}

export function redactor(options?: RedactOptions): Redactor {
  return createRedactor(resolveRedaction(options), new RecordingBook())
}

export function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

const dash = (...parts: string[]) => parts.join('-')
const low = (...parts: string[]) => parts.join('_')
const dot = (...parts: string[]) => parts.join('.')
const MARK = ['T3Blbk', 'FJ'].join('')

/** Tokens by the rule that knows their shape. */
export const TOKENS: readonly (readonly [rule: string, token: string])[] = [
  ['openai-key', dash('sk', `${body(20)}${MARK}${body(20, ALNUM, 2)}`)],
  ['openai-key', dash('sk', 'proj', `${body(74, URL_SAFE)}${MARK}${body(74, URL_SAFE, 2)}`)],
  ['openai-key', dash('sk', 'svcacct', `${body(74, URL_SAFE, 3)}${MARK}${body(74, URL_SAFE, 4)}`)],
  ['openai-key', dash('sk', body(32, HEX))],
  ['anthropic-key', dash('sk', 'ant', 'api03', `${body(93, URL_SAFE)}AA`)],
  ['anthropic-key', dash('sk', 'ant', 'admin01', `${'x'.repeat(93)}AA`)],
  ['openrouter-key', dash('sk', 'or', 'v1', body(64, HEX))],
  ['langfuse-key', dash('sk', 'lf', body(8, HEX), body(4, HEX), body(4, HEX), body(4, HEX), body(12, HEX))],
  ...['p', 'o', 'u', 's', 'r'].map((kind) => ['github-token', low(`gh${kind}`, body(36))] as const),
  ['github-token', low('github', 'pat', body(22), body(59))],
  ['gitlab-token', dash('glpat', body(20, URL_SAFE))],
  ['aws-access-key', `${'AK'}${'IA'}${body(16, `${UPPER}234567`)}`],
  ['aws-access-key', `${'AS'}${'IA'}${body(16, `${UPPER}234567`)}`],
  ['google-api-key', `${'AI'}${'za'}${body(35, URL_SAFE)}`],
  ['google-oauth', dash('GOCSPX', body(28, URL_SAFE))],
  ['google-oauth', `1//0${body(60, URL_SAFE)}`],
  ['slack-token', dash('xoxb', body(12, DIGITS), body(12, DIGITS), body(24))],
  ['slack-token', dash('xapp', '1', body(11, UPPER), body(13, DIGITS), body(64, HEX))],
  ['stripe-key', low('sk', 'live', body(24))],
  ['stripe-key', low('rk', 'test', body(24))],
  ['stripe-key', low('whsec', body(32))],
  ['npm-token', low('npm', body(36))],
  ['pypi-token', dash('pypi', `AgEI${body(80, URL_SAFE)}`)],
  ['huggingface-token', low('hf', body(34))],
  ['twilio-key', `${'S'}${'K'}${body(32, HEX)}`],
  ['digitalocean-token', low('dop', 'v1', body(64, HEX))],
  ['groq-key', low('gsk', body(52))],
  ['xai-key', dash('xai', body(80))],
  ['replicate-token', low('r8', body(37))],
  ['perplexity-key', dash('pplx', body(48))],
  ['langsmith-key', low('lsv2', 'pt', body(32, HEX), body(10, HEX))],
  ['nvidia-key', dash('nvapi', body(64, URL_SAFE))],
  ['tavily-key', dash('tvly', `9${body(31)}`)],
  ['notion-token', low('ntn', body(46))],
  ['linear-key', low('lin', 'api', body(40))],
  ['docker-token', low('dckr', 'pat', body(27, URL_SAFE))],
  ['shopify-token', low('shpat', body(32, HEX))],
  ['databricks-token', `${'da'}${'pi'}${body(32, HEX)}`],
  ['grafana-token', low('glsa', body(32), body(8, HEX))],
  ['sendgrid-key', dot('SG', body(22, URL_SAFE), body(43, URL_SAFE))],
  ['google-access-token', dot('ya29', body(80, URL_SAFE))],
  ['vault-token', dot('hvs', body(90, URL_SAFE))],
  ['telegram-token', [body(10, '123456789'), `AA${body(33, URL_SAFE)}`].join(':')],
  [
    'discord-token',
    dot(Buffer.from(`11${body(16, DIGITS)}`).toString('base64url'), body(6, ALNUM), body(38, URL_SAFE)).replace(
      /^/,
      '',
    ),
  ],
  ['jwt', dot(`eyJ${body(33)}`, `eyJ${body(60)}`, body(43, URL_SAFE))],
]

/** Addresses of which only the secret part goes. */
export const WEBHOOKS: readonly (readonly [rule: string, before: string, secret: string])[] = [
  [
    'slack-webhook',
    'https://hooks.slack.com/',
    ['services', `T${body(10, UPPER)}`, `B${body(10, UPPER)}`, body(24)].join('/'),
  ],
  ['discord-webhook', 'https://discord.com/', ['api', 'webhooks', body(18, '123456789'), body(68, URL_SAFE)].join('/')],
]

/** A PEM private key, its lines joined as wanted. */
export function pem(lineEnd: string, end = true, kind = 'RSA '): string {
  const lines = Array.from({ length: 6 }, (_, i) => body(64, ALNUM, i + 1))
  const label = `${kind}PRIVATE KEY`
  return [`-----BEGIN ${label}-----`, ...lines, ...(end ? [`-----END ${label}-----`] : [])].join(lineEnd)
}

/** Texts that resemble secrets and are none. */
export const HARMLESS: readonly string[] = [
  'use sk-learn, sk-estimator-doc-link and scikit-learn',
  'ask-something-long-and-hyphenated, task-sk-learn-tutorial, risk-adjusted-return-on-capital, desk-top-publishing-suite',
  `call_${body(24)}`,
  `toolu_01${body(22)}`,
  `msg_01${body(22)}`,
  `chatcmpl-${body(29)}`,
  `resp_${body(48, HEX)}`,
  `run_${body(24)}`,
  `thread_${body(24)}`,
  `req_${body(24)}`,
  '3f2b8a1e-7c4d-4e2a-9b1f-0d6c5a4b3e2f',
  body(64, HEX),
  body(40, HEX),
  `sha512-${base64(body(64, String.fromCharCode(...Array.from({ length: 256 }, (_, i) => i))))}`,
  Buffer.from(Array.from({ length: 600 }, (_, i) => (i * 197 + 89) & 255)).toString('base64'),
  `data:image/png;base64,iVBORw0KGgo${body(400)}`,
  base64('the quick brown fox jumps over the lazy dog, twice'),
  'https://example.test/path/to/a/very/long/page/with-a-long-name?page=2&sort=key&next_page_token=abc123',
  'http://localhost:8080/a@b and https://example.test:443/x',
  '{"max_tokens":100,"total_tokens":5,"prompt_tokens":3,"completion_tokens":2,"token_count":5,"tokenizer":"cl100k"}',
  '{"idempotency_key":"order-4711-a","public_key":"abc","primary_key":"id7","next_page_token":"CAoQAA12345"}',
  'The password: must have at least 8 characters. Token: a piece of a word. Secret: well kept.',
  'interface Login { password: string; token: Token; apiKey?: string }',
  'const token = await getToken(); login(password=password); password = config.password; key = keys[0]',
  `export API_KEY=\${API_KEY} PASSWORD=<password> TOKEN=*** SECRET=your-secret-here`,
  'Authorization: Bearer <token>',
  'basic economy, Basic understanding of bearer bonds, the bearer non-transferable-certificate',
  'the secretary wrote to the author about tokenization',
  'at 15:00:00 EST, ratio 16:9, {"type":"object","properties":{"password":{"type":"string"}}}',
  `docs say: -----BEGIN ${'PRIVATE KEY'}-----\\n...\\n-----END ${'PRIVATE KEY'}-----`,
  `-----BEGIN CERTIFICATE-----\n${body(64)}\n-----END CERTIFICATE-----`,
  'PWD=/home/agent/work OLDPWD=/home/agent',
  'docker run -u 1000:1000 image && git push -u origin main:main',
  '中文文本：密码学是一门学科。 日本語のテキスト、トークン化について。',
]
