import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'
import { registerUser, newToken, readTokenFile, findUserByToken } from './users.ts'

const secret = 'a-token-of-thirty-two-characters-or-more'
const ada = { name: 'ada', token: secret, roles: ['read', 'approve'] }

function fileOf(content: unknown, mode = 0o600): string {
  const path = join(mkdtempSync(join(tmpdir(), 'donecheck-tokens-')), 'tokens.json')
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  chmodSync(path, mode)
  return path
}

describe('given a file of users that only its owner can read', () => {
  it('knows each by their token, and nobody by another', () => {
    const users = readTokenFile(fileOf({ users: [ada] }))
    expect(findUserByToken(users, secret)?.user).toEqual({ name: 'ada', roles: ['read', 'approve'] })
    expect(findUserByToken(users, `${secret}x`)).toBeUndefined()
    expect(findUserByToken(users, '')).toBeUndefined()
  })
})

describe('given a file that nobody should go by', () => {
  it.each([
    ['others can read', fileOf({ users: [ada] }, 0o640), 'chmod 600'],
    ['no JSON', fileOf('token'), 'the form is'],
    ['nobody in it', fileOf({ users: [] }), 'users'],
    ['a short token', fileOf({ users: [{ ...ada, token: 'short' }] }), 'at least 32 characters'],
    ['a role that there is not', fileOf({ users: [{ ...ada, roles: ['root'] }] }), 'roles'],
    ['the same name twice', fileOf({ users: [ada, { ...ada, token: newToken() }] }), 'same name'],
    ['the same token twice', fileOf({ users: [ada, { ...ada, name: 'bob' }] }), 'same token'],
    ['the name of the owner', fileOf({ users: [{ ...ada, name: 'owner' }] }), 'reserved'],
    ['no file at all', '/nowhere/tokens.json', 'Cannot read'],
  ])('%s: it is refused with the way out, and no token is quoted', (_, path, words) => {
    const reading = () => readTokenFile(path)
    expect(reading).toThrow(UsageError)
    expect(reading).toThrow(words)
    expect(reading).not.toThrow(secret)
  })
})

it('a token that is made is never made twice, and long enough for a file', () => {
  const tokens = Array.from({ length: 50 }, newToken)
  expect(new Set(tokens).size).toBe(50)
  expect(readTokenFile(fileOf({ users: [{ ...ada, token: tokens[0] }] }))).toEqual([
    registerUser({ name: 'ada', roles: ['read', 'approve'] }, tokens[0] ?? ''),
  ])
})
