import { expect, test } from 'vitest'
import { redactor } from './samples.js'

test.each([
  'src/a.ts:1234:5:error:unused1',
  'aa:bb:cc:dd:ee1234',
  'at 10.0.0.1:8080:x',
  '2001:0db8:85a3:0000:0000:8a2e:0370:7334',
  'root:x:0:0:root:/root:/bin/bash',
  '- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: db1\n      key: password1',
  '- name: password\n  type: string',
  '- name: tokens\n  value: 4096',
  'SyntaxError: Unexpected token: ident1',
  'curl https://h.example.test && docker run -u 1000:1000 image',
  '{"command":"mysql -u root -p"}',
  '{"command":"az login -p"}',
  ['headers["x-api-key"] = `$', '{this.apiKey}`'].join(''),
  ["const auth = { 'proxy-authorization': `Basic $", '{encode(user)}` }'].join(''),
  'const pass = !this.result.issues || done',
  "const token = process.env.TOKEN || ''",
  'const apiKey = process.env.API_KEY ?? fallback',
  'le mot de passe est incorrect',
  'la contraseña es obligatoria',
  'la password è sbagliata',
  "page.fill('#search', 'shoes42')",
])('%j stays', (text) => {
  expect(redactor().text(text)).toBe(text)
})
