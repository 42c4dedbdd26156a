import { randomBytes, timingSafeEqual, createHmac } from 'node:crypto'
import { readJson, sha256, UsageError, messageOf } from '@donecheck/engine/internal/base'
import { z } from 'zod'
import { readFileSync, statSync } from 'node:fs'

/** `run` includes running commands as the service's user. `approve`: answer questions of runs. */
export const roles = ['read', 'run', 'approve'] as const
export type Role = (typeof roles)[number]

export interface User {
  readonly name: string
  readonly roles: readonly Role[]
}

interface KnownUser {
  readonly user: User
  /** Hex SHA-256 of the token, which is not stored. */
  readonly digest: string
}

export type Users = readonly KnownUser[]

/** In characters, so that it cannot be guessed. */
export const minTokenLength = 32

export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

export function knownUser(user: User, token: string): KnownUser {
  return { user, digest: sha256(token) }
}

/** Compares all tokens in constant time, against timing attacks. */
export function userOfToken(users: Users, token: string): KnownUser | undefined {
  const digest = Buffer.from(sha256(token))
  let found: KnownUser | undefined
  for (const known of users) if (timingSafeEqual(digest, Buffer.from(known.digest))) found = known
  return found
}

const tokenFile = z.strictObject({
  users: z
    .array(
      z.strictObject({
        name: z
          .string()
          .regex(/^[\w.@-]{1,64}$/, 'up to 64 letters, digits and .@_-')
          .refine((name) => name !== 'owner', 'this name is the one of a service without users'),
        token: z
          .string()
          .min(
            minTokenLength,
            `a token has ${minTokenLength} characters or more; "openssl rand -hex 32" makes one`,
          )
          .regex(/^[\w.~+/=-]+$/, 'letters, digits and .~+/=-_ alone'),
        roles: z.array(z.enum(roles)).min(1),
      }),
    )
    .min(1),
})

const form = '{"users":[{"name":…,"token":…,"roles":["read","run","approve"]}]}'

/**
 * @throws {UsageError} if it is unreadable, readable by others or lists a user twice; never quotes a token
 */
export function readTokenFile(path: string): Users {
  const { users } = readJson(tokenFile, readPrivateFile(path), { file: path, form })
  const known = users.map(({ name, token, roles: given }) => knownUser({ name, roles: given }, token))
  for (const [what, values] of [
    ['name', known.map(({ user }) => user.name)],
    ['token', known.map(({ digest }) => digest)],
  ] as const)
    if (new Set(values).size < values.length)
      throw new UsageError(`${path} has the same ${what} twice; give each user one of their own`)
  return known
}

export const sessionMs = 30 * 24 * 3600 * 1000

/** Cookies ignore ports, so two services on one machine need different names. */
export function cookieName(port: number): string {
  return `donecheck_${port}`
}

export function sessionOf({ user, digest }: Users[number], nowMs: number): string {
  const claim = `${Buffer.from(user.name).toString('base64url')}.${(nowMs + sessionMs).toString(36)}`
  return `${claim}.${signatureOf(claim, digest)}`
}

/** Undefined if it expired, is not ours, or its user no longer exists. */
export function userOfSession(users: Users, session: string, nowMs: number): User | undefined {
  const [name = '', until = '', signature = ''] = session.split('.')
  const known = users.find(({ user }) => Buffer.from(user.name).toString('base64url') === name)
  if (known === undefined || !(Number.parseInt(until, 36) > nowMs)) return undefined
  const expected = Buffer.from(signatureOf(`${name}.${until}`, known.digest))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected) ? known.user : undefined
}

function signatureOf(claim: string, digest: string): string {
  return createHmac('sha256', `donecheck session ${digest}`).update(claim).digest('base64url')
}

/** @throws {UsageError} if others can read it, or it cannot be read */
export function readPrivateFile(path: string): string {
  try {
    const isOthers = process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0
    if (isOthers) throw new UsageError(`others can read ${path}; take it from them with "chmod 600 ${path}"`)
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${path} cannot be read: ${messageOf(error)}`, { cause: error })
  }
}
