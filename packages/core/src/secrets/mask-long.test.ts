import { describe, expect, it } from 'vitest'
import { maskText } from './mask.ts'

describe('given a text of a megabyte that was made to be slow', () => {
  it.each([
    'eyJ-',
    'eyJ',
    'eyJaaaaaaaaaa.',
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
