/** What a rule looks at and finds nothing in, or nearly: said again and again, it costs that rule the most. */
export interface WorstText {
  readonly rule: string
  readonly unit: string
}

const texts = (rule: string, ...units: readonly string[]): WorstText[] => units.map((unit) => ({ rule, unit }))
const A = 'a'.repeat(20)
const HEX = '0123456789abcdef'.repeat(2)
const BEGIN = ['-----BEGIN ', 'PRIVATE KEY-----']

/** By rule or family of rules. Halves of tokens, not tokens: no scanner trips on this file. */
export const WORST_TEXTS: readonly WorstText[] = [
  ...texts(
    'password',
    'password: ',
    'password=',
    '"password":"',
    '"password":[',
    'password is ',
    'PASSWORD ',
    'PWD={a',
    'password: |\n a\n',
  ),
  ...texts(
    'password, on a command line',
    '--password ',
    '--password "',
    'sshpass -p ',
    'mysql -u ',
    'docker login ',
    'openssl ',
    'redis-cli a ',
  ),
  ...texts('password-hash', '$6$', '$2y$10$', '$argon2id$', '$'),
  ...texts('authorization', 'Authorization: ', 'authorization: Digest a="b", ', 'Authorization: Digest a="b",'),
  ...texts('cookie', 'Cookie: a', 'Set-Cookie: a=b; ', 'curl -b '),
  ...texts('private-key', '"kty":"d":"', `"kty" "d":"${A}`),
  ...texts('token', 'token:', 'token="', "token='", 'token is ', '["token", ', '{"name":"token","value":"'),
  ...texts('in markup', '<password>', '>', 'key="password" value="', ' value='),
  ...texts('openai-key and others of its form', 'sk-', '_sk-', `sk-${A}-`),
  ...texts(
    'tokens by their start',
    'gh',
    'github_pat_',
    'xoxb-',
    'EAA',
    `EAA${A}`,
    'pi_aaaaaaaaaaaaaaaa_secret_',
    'AGE-PLUGIN-',
    `A_${A}`,
  ),
  ...texts(
    'tokens of several parts',
    `.${A}`,
    `:${A}`,
    `.atlasv1.${A}`,
    `dp.st.${A}.`,
    `snyk_.${A}`,
    '1/1111111111111111:',
  ),
  ...texts('azure-key', 'AZDO', 'JQQJ99', 'AzFu', '+AStA', 'A'),
  ...texts('azure-secret, salesforce-token', 'Q~', '00D', 'aaaQ~'),
  ...texts('mailgun-key, mailchimp-key', '-us', `${HEX}-`, HEX),
  ...texts('x-token', 'A'.repeat(20), `${'A'.repeat(22)}%`),
  ...texts('jwt', 'eyJ', '-eyJ', 'eyJ.', 'eyJaaaaaaaa.'),
  ...texts('pem', BEGIN[0] ?? '', BEGIN.join(''), 'Private-Lines: 1\n'),
  ...texts('bearer, basic-auth', 'Bearer ', 'Basic ', `Bearer ${A}`),
  ...texts('url-password', 'a://', '://a:', 'a:', '://a:b@', `://${A}1`, 'oracle:thin:a/', '-u a'),
  ...texts('query-secret', '?key=', '&sig='),
  ...texts('webhook-url', '://.webhook.office.com/webhookb2/', 'hooks.zapier.com/hooks/catch/'),
  ...texts(
    'encoded-secret',
    'QUFB',
    '%41',
    '%2541',
    '%',
    '\\u0041',
    '\\x41',
    '&#65;',
    '&quot;',
    '\\',
    '\\"',
    `${'QUFB'.repeat(16)}\n`,
    `${'Ab1'.repeat(20)}\\n`,
    `${'QUFB'.repeat(15)}AAAA\n`,
    `${'QUFB'.repeat(15)}AAAA\\n`,
  ),
  ...texts('pseudonyms', '[redacted:', '[redacted:x#1]'),
  ...texts('email', 'a@', 'a.', 'a@a.'),
  ...texts('card', '4111 ', '4111-'),
  ...texts('iban', 'DE02', 'DE02 1203 '),
  ...texts('ssn', '078-05-', '123-'),
  ...texts('phone', '+1 ', '(555) '),
  ...texts('no rule', 'lorem ipsum dolor sit amet, ', '密'),
]
