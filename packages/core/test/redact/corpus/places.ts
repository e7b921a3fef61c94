import { type Line, line, ODD, PASSWORD } from './labelled.js'
import { base64, body, glue, hex } from './parts.js'

const key = hex(32, 31)
const token = body(40, undefined, 77)
const coded = base64(PASSWORD)

/** Secrets as code, commands, manifests, markup, forms and languages other than English have them. */
export const PLACES: readonly Line[] = [
  line(
    'kubernetes secret',
    `apiVersion: v1\nkind: Secret\ndata:\n  conn: ${coded}\n  user: YW5uYQ==\n`,
    coded,
    'apiVersion',
  ),
  line(
    'kubernetes secret, plain',
    `kind: Secret\ntype: Opaque\nstringData:\n  smtp: "${PASSWORD}"\n`,
    PASSWORD,
    'Opaque',
  ),
  line('kubectl', `kubectl create secret generic db --from-literal=conn=${PASSWORD} -n shop`, PASSWORD, '-n shop'),
  line('multipart', `--X\r\nContent-Disposition: form-data; name="password"\r\n\r\n${PASSWORD}\r\n--X--`, PASSWORD),
  line('multipart key', `--X\nContent-Disposition: form-data; name="api_key"\n\n${key}\n--X--`, key),
  line('cdata', `<password><![CDATA[${PASSWORD}]]></password>`, PASSWORD),
  line('element with attributes', `<wsse:Password Type="text">${PASSWORD}</wsse:Password>`, PASSWORD, 'wsse'),
  line('value before name', `<input type="hidden" value="${key}" name="csrf_token">`, key, 'hidden'),
  line('meta', `<meta name="csrf-token" content="${key}">`, key, '<meta'),
  line('http -a', `http -a anna:${PASSWORD} https://h.example.test`, PASSWORD, 'anna', 'h.example.test'),
  line('az login', `az login --service-principal -u app -p ${ODD} --tenant t`, ODD, '--tenant t'),
  line('aws configure', `aws configure set aws_secret_access_key ${token}`, token, 'aws configure'),
  line('ldapsearch', `ldapsearch -D cn=admin -w ${ODD} -b dc=x`, ODD, '-b dc=x'),
  line('openssl -k', `openssl enc -aes-256-cbc -k ${ODD} -in a.txt`, ODD, 'a.txt'),
  line('zip', `zip -P ${ODD} a.zip b.txt`, ODD, 'b.txt'),
  line('7z', `7z x a.7z -p${ODD}`, ODD, 'a.7z'),
  line('redis configuration', `maxmemory 1gb\nrequirepass ${ODD}`, ODD, 'maxmemory'),
  line('PowerShell', `ConvertTo-SecureString "${ODD}" -AsPlainText -Force`, ODD, '-Force'),
  line('bytes in Python', `{b'password': b'${PASSWORD}', 'n': 1}`, PASSWORD, "'n'"),
  line('raw text in Python', `password = r"${PASSWORD}"`, PASSWORD),
  line('define', `define('DB_PASSWORD', '${PASSWORD}');`, PASSWORD, 'define'),
  line('setProperty', `props.setProperty("password", "${PASSWORD}");`, PASSWORD, 'setProperty'),
  line('Setenv', `os.Setenv("DB_PASSWORD", "${PASSWORD}")`, PASSWORD, 'os.Setenv'),
  line('headers.set', `headers.set('x-api-key', '${key}')`, key, 'headers'),
  line('localStorage', `localStorage.setItem("token", "${key}")`, key, 'localStorage'),
  line('builder', `Client.builder().user("anna").password("${PASSWORD}").build()`, PASSWORD, 'anna', 'build'),
  line('typed', `const apiKey: string = "${key}"`, key, 'const apiKey'),
  line('typed in Swift', `let apiKey: String = "${key}"`, key, 'let'),
  line('Markdown, bold', `**Password:** ${PASSWORD} (change it)`, PASSWORD, 'change it'),
  line('Markdown, table', `| key | value |\n|---|---|\n| password | ${PASSWORD} |`, PASSWORD, 'value'),
  line('password set', `I set the password to ${PASSWORD}.`, PASSWORD, 'I set the password to'),
  line('password is:', `my password is: ${PASSWORD}`, PASSWORD, 'my'),
  line('below its name', `Password:\n${PASSWORD}\n\nRegards`, PASSWORD, 'Regards'),
  line('below its name, set in', `API key:\n\n    ${key}\n`, key),
  line('German', `Das Passwort lautet ${PASSWORD}`, PASSWORD, 'lautet'),
  line('French', `mot de passe : ${PASSWORD}`, PASSWORD, 'mot de'),
  line('Spanish', `contraseña: ${PASSWORD}`, PASSWORD),
  line('Portuguese', `senha: ${PASSWORD}`, PASSWORD),
  line('Russian', `пароль: ${PASSWORD}`, PASSWORD),
  line('Chinese', `密码：${PASSWORD}`, PASSWORD),
  line('Chinese sentence', `密码是 ${PASSWORD}`, PASSWORD),
  line('Chinese sentence that goes on', `密码是${PASSWORD}，请保密`, PASSWORD, '请保密'),
  line('Japanese', `パスワード: ${PASSWORD}`, PASSWORD),
  {
    ...line('hexadecimal', Buffer.from(`password=${PASSWORD}`).toString('hex'), Buffer.from(PASSWORD).toString('hex')),
    coded: true,
  },
  {
    ...line(
      'hexadecimal with 0x',
      `data 0x${Buffer.from(`token=${key}`).toString('hex')} end`,
      Buffer.from(key).toString('hex'),
    ),
    coded: true,
  },
  {
    ...line(
      'list of bytes',
      JSON.stringify(Buffer.from(`password=${PASSWORD}`)),
      [...Buffer.from(PASSWORD)].join(','),
      'Buffer',
    ),
    coded: true,
  },
  {
    ...line(
      'list of bytes, spaced',
      `[${[...Buffer.from(glue('pass', 'word=', PASSWORD))].join(', ')}]`,
      [...Buffer.from(PASSWORD)].join(', '),
    ),
    coded: true,
  },
]
