import { describe, expect, test } from 'vitest'
import { base64, body, redactor } from './samples.js'

const word = ['hunter', '2horse'].join('')
const odd = ['S3cr3t!', 'pw'].join('')
const P = (rule: string, n = 1) => `[redacted:${rule}#${n}]`

describe('in addresses', () => {
  test.each([
    [
      `postgres://app:${word}@db.example.test:5432/prod`,
      `postgres://app:${P('url-password')}@db.example.test:5432/prod`,
    ],
    [`amqp://guest:${odd}@mq.example.test/`, `amqp://guest:${P('url-password')}@mq.example.test/`],
    [
      'mongodb+srv://u:p%40ssw0rd@c.example.test/?w=majority',
      `mongodb+srv://u:${P('url-password')}@c.example.test/?w=majority`,
    ],
    [`redis://:${word}@cache.example.test:6379`, `redis://:${P('url-password')}@cache.example.test:6379`],
    [`{"url":"https:\\/\\/u:${word}@h.example.test"}`, `{"url":"https:\\/\\/u:${P('url-password')}@h.example.test"}`],
    [`curl -u app:${word} https://x.example.test/a`, `curl -u app:${P('url-password')} https://x.example.test/a`],
    [`https://a.example.test/v1?api_key=${word}&page=2`, `https://a.example.test/v1?api_key=${P('api-key')}&page=2`],
    [`https://a.example.test/?token=${word}#top`, `https://a.example.test/?token=${P('token')}#top`],
    [`https://a.example.test/?se=1&amp;sig=${word}`, `https://a.example.test/?se=1&amp;sig=${P('query-secret')}`],
    [
      `https://s3.example.test/o?X-Amz-Date=1&X-Amz-Signature=${body(64, '0123456789abcdef')}`,
      `https://s3.example.test/o?X-Amz-Date=1&X-Amz-Signature=${P('query-secret')}`,
    ],
    [
      `Server=sql.example.test;User Id=rep;Password=${odd};Encrypt=True`,
      `Server=sql.example.test;User Id=rep;Password=${P('password')};Encrypt=True`,
    ],
  ])('%s', (text, wanted) => {
    expect(redactor().text(text)).toBe(wanted)
  })
})

describe('in JSON text', () => {
  const nest = (value: unknown, times: number): string => {
    let text = JSON.stringify(value)
    for (let i = 0; i < times; i++) text = JSON.stringify({ arguments: text })
    return text
  }
  test.each([0, 1, 2, 3])('escaped %i times', (times) => {
    const tricky = `a"b\\${word}\n€\\`
    const out = redactor().text(nest({ user: 'admin', password: tricky, n: 1 }, times))
    expect(out).toBe(nest({ user: 'admin', password: P('password'), n: 1 }, times))
  })

  test('the same secret in any escape has one pseudonym', () => {
    const made = redactor()
    const secret = `a"b\\${word}`
    made.text(nest({ password: secret }, 0))
    made.text(nest({ password: secret }, 2))
    expect(made.whole('password', secret)).toBe(P('password'))
  })

  test('with spaces and line ends', () => {
    const text = JSON.stringify({ api_key: word, other: 1 }, null, 2)
    expect(redactor().text(text)).toBe(JSON.stringify({ api_key: P('api-key'), other: 1 }, null, 2))
  })

  test('a number becomes a text, and the text still parses', () => {
    const out = redactor().text('{"passcode": 12345678, "id": 7}')
    expect(JSON.parse(out)).toEqual({ passcode: P('password'), id: 7 })
    expect(JSON.parse(JSON.parse(redactor().text(JSON.stringify('{"passcode":12345678}'))))).toEqual({
      passcode: P('password'),
    })
  })

  test('every text of a list', () => {
    const text = JSON.stringify({ 'set-cookie': [`a=${word}; Path=/`, 'b=2'], ok: ['x'] })
    expect(redactor().text(text)).toBe(JSON.stringify({ 'set-cookie': [P('cookie'), P('cookie', 2)], ok: ['x'] }))
  })

  test('cut off in the middle of the secret', () => {
    expect(redactor().text(`{"password":"${word}`)).toBe(`{"password":"${P('password')}`)
  })

  test('what says nothing stays', () => {
    const text = '{"password":null,"token":"","secret":{"a":1},"api_key":true}'
    expect(redactor().text(text)).toBe(text)
  })

  test('literals of other languages', () => {
    expect(redactor().text(`{'password': '${word}'}`)).toBe(`{'password': '${P('password')}'}`)
    expect(redactor().text(`"password" => "${word}"`)).toBe(`"password" => "${P('password')}"`)
    expect(redactor().text(`headers["x-api-key"] = "${word}"`)).toBe(`headers["x-api-key"] = "${P('api-key')}"`)
  })
})

describe('in lines', () => {
  const basic = base64(`app:${word}`)
  test.each([
    [`export DB_PASSWORD=${word}`, `export DB_PASSWORD=${P('password')}`],
    [`A=1\nAPI_SECRET=${word},${odd}\nB=2`, `A=1\nAPI_SECRET=${P('secret')}\nB=2`],
    [`AWS_SECRET_ACCESS_KEY=${body(40)}`, `AWS_SECRET_ACCESS_KEY=${P('secret')}`],
    [`aws_secret_access_key = ${body(40)}`, `aws_secret_access_key = ${P('secret')}`],
    ['password: letmein', `password: ${P('password')}`],
    [`db:\n  password: ${word}\n  port: 1`, `db:\n  password: ${P('password')}\n  port: 1`],
    [`password = "${word}"`, `password = "${P('password')}"`],
    [`The API key: ${word}, keep it.`, `The API key: ${P('api-key')}, keep it.`],
    [`pass word: ${odd}`, `pass word: ${P('password')}`],
    [`Your pass code: ${odd}`, `Your pass code: ${P('password')}`],
    [`The recovery codes: ${word}`, `The recovery codes: ${P('secret')}`],
    ['In a word: 4u&me, at zip code: 90210-1234.', 'In a word: 4u&me, at zip code: 90210-1234.'],
    [`Authorization: Bearer ${word}`, `Authorization: Bearer ${P('authorization')}`],
    [`authorization: Basic ${basic}\r\nhost: x`, `authorization: Basic ${P('authorization')}\r\nhost: x`],
    [`Bearer ${word}`, `Bearer ${P('bearer')}`],
    [`Basic ${basic}`, `Basic ${P('basic-auth')}`],
    [`it sent Bearer ${body(40)} along`, `it sent Bearer ${P('bearer')} along`],
    [`Cookie: sid=${word}; theme=dark`, `Cookie: ${P('cookie')}`],
    [`curl -H 'Cookie: sid=${word}; a=b' -H 'accept: x'`, `curl -H 'Cookie: ${P('cookie')}' -H 'accept: x'`],
    [JSON.stringify(`A=1\nDB_PASSWORD=${word}\nB=2`), JSON.stringify(`A=1\nDB_PASSWORD=${P('password')}\nB=2`)],
  ])('%s', (text, wanted) => {
    expect(redactor().text(text)).toBe(wanted)
  })
})
