/** Spellings of a known value that are masked. */
import { describe, expect, it } from 'vitest'
import { maskText } from './mask.ts'
import { maskValue } from './index.ts'

describe('given a value with quotes, backslashes and line ends', () => {
  const secrets = { TOKEN: 'zq81"A\\w2\nend' }

  it('is masked in a JSON text, and in a JSON text within one', () => {
    const once = JSON.stringify({ key: secrets.TOKEN })
    expect(maskText(once, secrets)).toBe('{"key":"[masked:TOKEN]"}')
    expect(maskText(JSON.stringify({ once }), secrets)).not.toContain('zq81')
  })
})

describe('given a text of a megabyte that was made to be slow', () => {
  it.each([
    'eyJ-',
    'eyJaaaaaaaaaa.eyJaaaaaaaaaa-',
    'sk-',
    'sk-a',
    'a:',
    'a://b:c',
    'http://a:',
    'Bearer ',
    '-',
    '-----BEGIN ',
    '-----BEGIN PRIVATE KEY-----',
    'A',
    'hf_',
    'SG.a',
    'xoxb-a',
    '12345:A',
    'AAQ~',
    'A=\n',
    'PRIVATE KEY A\n',
    'aws_secret_access_key= ',
    'AccountKey=a',
    'Authorization: Basic a',
    'hooks.slack.com/services/',
    'word… ',
    '\n[... 1 bytes left out ...]\n',
    '[masked:',
    ' ',
    'token=',
    'curl -u a:',
    'Cookie: a=',
    'machine a login b password ',
    '-----BEGIN PRIVATE KEY-----\nAAAAAAAAAAAAAAAAAAAA\n',
    'secret ',
  ])('comes to an end: %j over and over', (unit) => {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length))
    expect(maskText(text, { KEY: 'secret value' }).length).toBeGreaterThan(0)
  })
})

const body = 'aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC2dF4hJ6kL8n'
const hex = '0f1e2d3c4b5a69788796a5b4c3d2e1f0'
const uuid = '7f3c1d2e-5a6b-4c8d-9e0f-1a2b3c4d5e6f'
const join = (...parts: readonly string[]): string => parts.join('')
const pemLines = [join('-----BEGIN RSA PRIV', 'ATE KEY-----'), body, `${body.slice(3)}+/`, 'aB3==', join('-----END RSA PRIV', 'ATE KEY-----')] // prettier-ignore
const pem = (before: (at: number) => string, after = '\n'): string =>
  pemLines.map((line, at) => `${before(at)}${line}`).join(after)

/** The text, and what of it must not be left. */
const secrets: readonly (readonly [shape: string, text: string, secret: string])[] = [
  ...[
    'sk-ant-api03-', 'sk-proj-', 'sk-or-v1-', 'ghp_', 'gho_', 'ghs_', 'github_pat_11AB_', 'glpat-', 'glrt-', 'xoxb-12345-', 'xapp-1-A1-', 'sk_live_',
    'rk_live_', 'whsec_', 'npm_', 'pypi-AgEIcHlwaS5vcmc', 'hf_', 'gsk_', 'xai-', 'pplx-', 'r8_', 'AIza', 'ya29.', 'GOCSPX-', '1//0g', 'dop_v1_', 'shpat_', 'glsa_',
    'lin_api_', 'ntn_', 'secret_', 'PMAK-', 'sntrys_', 'hvs.', 'dckr_pat_', 'figd_', 'tskey-auth-', 'dp.pt.', 'dp.st.prd.', 'pul-', 'NRAK-', 'sq0atp-',
    'sq0csp-', 'pk.eyJ', 'sk.eyJ', 'AGE-SECRET-KEY-1', 'ATATT3', 'sbp_', 'CCIPAT_', 'pscale_tkn_', 'HRKU-', 'rubygems_',
  ].map((prefix) => [prefix, `it is ${join(prefix, body)}, keep it`, body] as const), // prettier-ignore
  ['aws id', join('AKIA', 'Q2W4E6R8T1Y3U5I7'), 'Q2W4E6R8T1Y3U5I7'],
  ['aws secret', `aws_secret_access_key = ${body}`, body],
  ['azure account', `AccountName=a;AccountKey=${body}${body}+/aB3d==;EndpointSuffix=x`, body],
  ['azure client', join('aB38', 'Q~', body.slice(0, 34)), body.slice(0, 30)],
  ['twilio', join('SK', hex), hex],
  ['twilio token', `TWILIO_AUTH_TOKEN=${hex}`, hex],
  ['sendgrid', join('SG.', body.slice(0, 22), '.', body), body],
  ['databricks', join('dapi', hex), hex],
  ['mailgun', join('key-', hex), hex],
  ['mailchimp', join(hex, '-us14'), hex],
  ['square', join('EAAA', body, body.slice(0, 20)), body],
  ['terraform', join(body.slice(0, 14), '.atlasv1.', body, body), body],
  ['telegram', join('123456789:A', body.slice(0, 34)), body.slice(0, 30)],
  ['discord bot', join('MTIzNDU2Nzg5MDEyMzQ1Njc4', '.GaBcDe.', body), body],
  ['discord webhook', `https://discord.com/api/webhooks/123456789012345678/${body}_${body}`, body],
  [
    'slack webhook',
    `https://hooks.slack.com/services/T0AB1CD2E/B0FG3HI4J/${body.slice(0, 24)}`,
    body.slice(0, 24),
  ],
  ['jwt', join('eyJ', body, '.eyJ', body, '.', body), body],
  ['bearer', `curl -H "Authorization: Bearer ${body}"`, body],
  ['authorization', `authorization: token ${hex}`, hex],
  ['basic', 'Authorization: Basic dXNlcjpwYXNzd29yZA==', 'dXNlcjpwYXNzd29yZA'],
  ['x-api-key', `X-Api-Key: ${hex}`, hex],
  ['header of a token', `-H 'X-Vault-Token: ${uuid}'`, uuid],
  ['cookie', `Cookie: theme=dark; session=${body}`, body],
  ['set-cookie', `Set-Cookie: sid=s%3A${hex}; Path=/; HttpOnly`, hex],
  ['NAME_KEY', `ACME_KEY=${hex}`, hex],
  ['NAME_TOKEN', `export ACME_TOKEN=${body}`, body],
  ['NAME_SECRET', `ACME_SECRET='q8Zr2LmX0v'`, 'q8Zr2LmX0v'],
  ['NAME_PASSWORD', 'DB_PASSWORD=hunter2!', 'hunter2!'],
  ['environment in YAML', 'POSTGRES_PASSWORD: hunter22', 'hunter22'],
  ['SECRET_KEY_BASE', `SECRET_KEY_BASE=${hex}${hex}`, hex],
  ['password in JSON', '{"password": "tr0ub4dor&3"}', 'tr0ub4dor&3'],
  ['password in JSON in JSON', '{\\"password\\": \\"tr0ub4dor&3\\"}', 'tr0ub4dor'],
  ['token in JSON', `{"access_token":"${hex}"}`, hex],
  ['client_secret', `client_secret: ${uuid}`, uuid],
  ['clientSecret', `clientSecret = "${body}"`, body],
  ['constant in a program', `const apiKey = '${body}';`, body],
  ['option of a command', 'deploy --password s3cretWord', 's3cretWord'],
  ['token as an option', `deploy --token ${body}`, body],
  ['words', `the password is ${body}`, body],
  ['XML', `<apiKey>${hex}</apiKey>`, hex],
  ['netrc', 'machine example.com login me password hunter', 'hunter'],
  ['netrc on lines', 'machine example.com\n  login me\n  password hunter', 'hunter'],
  ['curl -u', 'curl -s -u me:hunter https://example.com', 'hunter'],
  ['curl --user', "curl --user 'me:hunter' https://example.com", 'hunter'],
  ['address', 'postgres://app:s3cret@db:5432/app', 's3cret'],
  ['docker', '{"auths":{"r":{"auth":"bWU6aHVudGVyMjI="}}}', 'bWU6aHVudGVyMjI'],
  ['npmrc', `//registry.example.com/:_authToken=${uuid}`, uuid],
  ['npmrc of old', '//registry.example.com/:_auth=bWU6aHVudGVyMjI=', 'bWU6aHVudGVyMjI'],
  ['diff', `-${join('ghp_', body)}\n+gone`, body],
  ...([
    ['as it is', pem(() => '')],
    ['in a mail', pem(() => '> ')],
    ['added in a diff', pem(() => '+')],
    ['removed in a diff', pem(() => '-')],
    ['indented', pem(() => '    ')],
    ['with numbers of lines', pem((at) => `${String(at + 7).padStart(6)}\t`)],
    ['with other numbers of lines', pem((at) => `${at + 1}: `)],
    ['in JSON', `{"key":"${pem(() => '', '\\n')}\\n"}`],
    ['in JSON in JSON', pem(() => '', '\\\\n')],
    ['in a program', pem(() => '  "', '\\n" +\n')],
    ['in a comment', pem(() => ' * ')],
    ['with returns', pem(() => '', '\r\n')],
    ['in one line', pem(() => '', ' ')],
    ['without its end', pemLines.slice(0, 3).join('\n')],
    ['without its beginning', pemLines.slice(1).map((line) => `> ${line}`).join('\n')],
    ['with headers', pem(() => '').replace('\n', '\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0F1E\n\n')],
  ] as const).map(([how, text]) => [`private key ${how}`, text, body.slice(4, 30)] as const), // prettier-ignore
]

const honest: readonly string[] = [
  'commit 3f786850e387550fdaab836ed7e6dc881de23001', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', `id ${uuid}`, `"id": "${uuid}"`,
  '"integrity": "sha512-RdJUflcE3cUzKiMqQgsCu06FPu9UdIJO0beYbPhHN4k6apgJtifcoCtT9bcxOpYBtpD2kCM6Sbzg4CausW/PKQ=="', 'key: Linux-node-9f86d081884c7d659a2feaa0c55ad015',
  'TOKEN_LIMIT=4096', 'max_tokens: 5', '"max_tokens": 4096', 'MAX_TOKENS=128000', 'tokens: 12345', 'token_type: bearer', 'password = input()', 'const token = getToken()',
  'const token = await getToken("abc12345678901234567")', 'password: str', 'password: string;', '"password": "required"', '"password": "Passwort"', 'password=$PASSWORD',
  'TOKEN=${GITHUB_TOKEN2}', 'token: ${{ secrets.NPM_TOKEN2 }}', 'api_key = os.environ["OPENAI_API_KEY"]', 'const apiKey = process.env.ACME_API_KEY_2', 'secret=/run/secrets/db2',
  'API_KEY=your-api-key-1', 'API_KEY=<your key 1>', 'password_hash = bcrypt(pw, 10)', 'monkey = "banana12345678901"', 'primary_key: "users_id_2"', 'cacheKey: "linux-node-24-npm-11"',
  'docker run -u 1000:1000 app', 'ps -u root', 'curl -u "$USER:$PASS" https://example.com', 'curl https://example.com:8080/a', 'Authorization: Basic authentication or none',
  'Cookie: the cookie of the session is httpOnly', 'document.cookie = "theme=dark"', 'the login page has a password field', '"auth": "required"', 'auth = authenticate(user)',
  "if (text.includes('-----BEGIN PRIVATE KEY-----')) { return refuse(text) } // and the rest of this file", 'The key ends with a line\n-----END PRIVATE KEY-----',
  'password: z.string().min(8)', 'token: abcdefgh', 'key-value-pairs-of-the-table', 'pul-request-template-of-2024', 'npm_config_registry_of_the_user_2', 'hf_hub_download_v2_of_the_model',
  'pk.eyJ', 'EAAA', 'secret_of_the_pyramids_1999', 'SKU1234567890ABCDEFGHIJKL', 'expect(password).toBe(user.password)', 'token = tokens[index1 + 1]', 'keyboard: "qwerty12345678901"',
  'PUBLIC_KEY_PATH=/etc/keys/id_2.pub', 'git push origin token-refresh-2', 'password: "password"', 'passwordless=true1',
] // prettier-ignore

describe('given a text with a secret', () => {
  it.each(secrets)('masks %s', (_, text, secret) => {
    const masked = maskText(text, {})
    expect(masked).not.toContain(secret)
    expect(masked).toContain('[masked:')
    expect(maskText(masked, {})).toBe(masked)
  })

  it('knows more than 70 shapes, and is shown more than 40 honest lines', () => {
    expect([secrets.length > 70, honest.length > 40]).toEqual([true, true])
  })

  it('masks what only the name beside it gives away', () => {
    const call = { env: { DB_PASSWORD: 'hunter22', PORT: '5432' }, fields: [{ client_secret: uuid }] }
    expect(maskValue(call, {})).toEqual({
      env: { DB_PASSWORD: '[masked:named-secret]', PORT: '5432' },
      fields: [{ client_secret: '[masked:named-secret]' }],
    })
  })
})

describe('given an honest line', () => {
  it.each(honest)('leaves %j as it is', (text) => {
    expect(maskText(text, {})).toBe(text)
  })
})
