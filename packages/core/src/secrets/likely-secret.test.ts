import { fc, test } from '@fast-check/vitest'
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { likelySecretIn } from './likely-secret.ts'

const base62 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const random = fc
  .array(fc.constantFrom(...Array.from(base62)), { minLength: 40, maxLength: 60 })
  .map((letters) => letters.join(''))
  // A random generator gives such texts; one that shrinks or is biased gives `AAAA…`, too.
  .filter((text) => new Set(text).size >= 20)
const names = fc.constantFrom(
  'secret',
  'API_KEY',
  'apiKey',
  'client-secret',
  'DB_PASSWORD',
  'authToken',
  'x_token_2',
)
const settings = fc.constantFrom('=', ': ', ' = "', '": "', "': '", ' := ', ' => "', ' ', ' is ')

describe('given a text with a value beside a word such as "secret"', () => {
  it.each([
    ['API_TOKEN=q8Zr2LmX0vTb7NcYd4Kw9HsF', 'TOKEN'],
    ['"password": "f7Hq-29xKzP_4mLd81TsRw"', 'password'],
    ["client_secret: 'Zk3/9qW+v7RtB2xLmN0pY5sD8fGhJ1cA=='", 'secret'],
    ['curl --token 8fK2mQz7XbV4nLc9RtY1wP3s', 'token'],
    ['{\\"apiKey\\":\\"8fK2mQz7XbV4nLc9RtY1wP3s\\"}', 'apiKey'],
    ['the password is 8fK2mQz7XbV4nLc9RtY1', 'password'],
  ])('tells the word and not the value: %s', (text, near) => {
    const found = likelySecretIn(text)
    expect(found?.near).toBe(near)
    expect(Object.keys(found ?? {})).toEqual(['near', 'length'])
  })

  it.each([
    ['a digest', 'token: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    ['an id of git', 'secret = 3f2c1e9b7a6d5c4b3a291807f6e5d4c3b2a19087'],
    ['a UUID', 'token=123e4567-e89b-42d3-a456-426614174000'],
    [
      'a lock file',
      '"js-tokens": {\n "integrity": "sha512-RdJUflcE3cUzKiMqQgsCu06FPu9UdIJO0beYbPhHN4k6apgJtifcoCtT9bcxOpYBtpD2kCM6Sbzg4CausW/PKQ=="',
    ],
    ['a sum of a lock file', 'token "sha512-RdJUflcE3cUzKiMqQgsCu06FPu9UdIJO0beYbPhHN4k6apgJtifcoCtT9bcx"'],
    ['a lock file of Go', 'github.com/a/tokenbucket v1.0.0 h1:oJKqTCCq0F3sXlDZJxPU9rGkZbLtCLW6M2FVmFvhVp4='],
    ['a picture', 'token: iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk'],
    ['an address of a picture', 'secret: data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAf'],
    ['a name', 'password: getPasswordFromKeychainForUser2()'],
    ['a variable', 'token: process.env.MY_SERVICE_TOKEN_2024_V2'],
    ['a path', 'secret=/run/secrets/db2/x1/y2/z3/a4/b5/c6d7'],
    ['an example', 'API_KEY=your-Key-1a2B3c4D5e6F7g8H'],
    ['what was masked', 'token=[masked:github-token]'],
    ['a date', 'token: 2026-11-23T15:06:07.123456Z'],
    ['words', 'password = correct-horse-battery-staple-and-more'],
    ['a version', 'token@1.2.3-beta.4.5.6.7.8.9.10.11.12'],
  ])('says nothing of %s', (_, text) => {
    expect(likelySecretIn(text)).toBeUndefined()
  })

  test.prop([random, names, settings])('finds what is random', (value, name, setting) => {
    fc.pre(/\d.*\d/u.test(value) && changesIn(value) * 3 >= value.length)
    expect(likelySecretIn(`x\n${name}${setting}${value}`)).toMatchObject({ length: value.length })
  })

  test.prop([fc.string(), names, settings, fc.constantFrom('md5', 'sha1', 'sha256', 'sha512')])(
    'says nothing of digests',
    (text, name, setting, kind) => {
      expect(
        likelySecretIn(`${name}${setting}${createHash(kind).update(text).digest('hex')}`),
      ).toBeUndefined()
    },
  )

  test.prop([random])('says nothing where no such word stands beside it', (value) => {
    fc.pre(!/secret|token|passw|key|cred/iu.test(value))
    expect(likelySecretIn(`id = ${value}\nthe tokens of a text\n\n\n${value}`)).toBeUndefined()
  })

  it.each(['token=', 'token ', 'secret-', 'a1', 'token=a1B2c3D4e5F6g7H8', 'password is '])(
    'comes to an end on a megabyte of %j',
    (unit) => {
      expect(() => likelySecretIn(unit.repeat(1_000_000 / unit.length))).not.toThrow()
    },
  )
})

function changesIn(value: string): number {
  const kind = (letter: string) => (/\d/u.test(letter) ? 0 : letter < 'a' ? 1 : 2)
  const letters = Array.from(value)
  return letters.filter((letter, at) => at > 0 && kind(letter) !== kind(letters[at - 1] ?? '')).length
}
