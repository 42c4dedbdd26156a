import { randomBytes, timingSafeEqual, createHmac } from 'node:crypto'
import { readJson, sha256, UsageError, messageOf } from '@donecheck/engine/internal/base'
import { z } from 'zod'
import { readFileSync, statSync } from 'node:fs'

/** `run` can start commands as the service's user; `approve` can answer a run's questions. */
export const roles = ['read', 'run', 'approve'] as const
export type Role = (typeof roles)[number]

export interface User {
  readonly name: string
  readonly roles: readonly Role[]
}

interface RegisteredUser {
  readonly user: User
  /** Hex SHA-256 of the token, which is not stored. */
  readonly digest: string
}

export type Users = readonly RegisteredUser[]

/** In characters; shorter tokens could be guessed. */
export const minTokenLength = 32

export function newToken(): string {
  return randomBytes(32).toString('base64url')
}

export function registerUser(user: User, token: string): RegisteredUser {
  return { user, digest: sha256(token) }
}

/** Compares all tokens in constant time, against timing attacks. */
export function findUserByToken(users: Users, token: string): RegisteredUser | undefined {
  const digest = Buffer.from(sha256(token))
  let match: RegisteredUser | undefined
  for (const registered of users)
    if (timingSafeEqual(digest, Buffer.from(registered.digest))) match = registered
  return match
}

const tokenFile = z.strictObject({
  users: z
    .array(
      z.strictObject({
        name: z
          .string()
          .regex(/^[\w.@-]{1,64}$/, 'up to 64 letters, digits and .@_-')
          .refine((name) => name !== 'owner', '"owner" is reserved'),
        token: z
          .string()
          .min(
            minTokenLength,
            `a token needs at least ${minTokenLength} characters; create one with: openssl rand -hex 32`,
          )
          .regex(/^[\w.~+/=-]+$/, 'only letters, digits and .~+/=-_'),
        roles: z.array(z.enum(roles)).min(1),
      }),
    )
    .min(1),
})

const expectedForm = '{"users":[{"name":…,"token":…,"roles":["read","run","approve"]}]}'

/**
 * @throws {UsageError} if the file is unreadable, readable by others or lists a user twice; never quotes a token
 */
export function readTokenFile(path: string): Users {
  const { users } = readJson(tokenFile, readPrivateFile(path), { file: path, form: expectedForm })
  const registered = users.map(({ name, token, roles: userRoles }) =>
    registerUser({ name, roles: userRoles }, token),
  )
  for (const [field, values] of [
    ['name', registered.map(({ user }) => user.name)],
    ['token', registered.map(({ digest }) => digest)],
  ] as const)
    if (new Set(values).size < values.length)
      throw new UsageError(`${path} has the same ${field} twice; give each user a different one`)
  return registered
}

export const sessionMs = 30 * 24 * 3600 * 1000

/** Cookies ignore ports, so two services on one machine need different names. */
export function cookieName(port: number): string {
  return `donecheck_${port}`
}

export function createSession({ user, digest }: Users[number], nowMs: number): string {
  const claim = `${Buffer.from(user.name).toString('base64url')}.${(nowMs + sessionMs).toString(36)}`
  return `${claim}.${signClaim(claim, digest)}`
}

/** @returns undefined if the session expired, was not signed by us, or its user no longer exists */
export function findUserBySession(users: Users, session: string, nowMs: number): User | undefined {
  const [name = '', until = '', signature = ''] = session.split('.')
  const registered = users.find(({ user }) => Buffer.from(user.name).toString('base64url') === name)
  if (registered === undefined || !(Number.parseInt(until, 36) > nowMs)) return undefined
  const expected = Buffer.from(signClaim(`${name}.${until}`, registered.digest))
  const actual = Buffer.from(signature)
  return actual.length === expected.length && timingSafeEqual(actual, expected) ? registered.user : undefined
}

function signClaim(claim: string, digest: string): string {
  return createHmac('sha256', `donecheck session ${digest}`).update(claim).digest('base64url')
}

/** @throws {UsageError} if other users can read the file, or we cannot */
export function readPrivateFile(path: string): string {
  try {
    const isReadableByOthers = process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0
    if (isReadableByOthers) throw new UsageError(`${path} is readable by other users. Run: chmod 600 ${path}`)
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`Cannot read ${path}: ${messageOf(error)}`, { cause: error })
  }
}
