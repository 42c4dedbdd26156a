/** How a known value may be spelt, and is masked all the same. */
import { describe, expect, it } from 'vitest'
import { maskText } from './mask.ts'

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
