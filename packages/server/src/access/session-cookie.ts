/**
 * What a browser keeps after a login: who it is and until when, signed with a key that is made of that user's token. Nothing of it is
 * kept here, so it holds through a restart, ends with the token, and is of no use to whoever reads the list of users.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { User, Users } from './users.ts'

/** Thirty days. */
export const sessionMs = 30 * 24 * 3600 * 1000

/** A browser sends cookies to every port of a host: two services on one machine must not share a name. */
export function cookieName(port: number): string {
  return `donecheck_${port}`
}

export function sessionOf({ user, digest }: Users[number], nowMs: number): string {
  const claim = `${Buffer.from(user.name).toString('base64url')}.${(nowMs + sessionMs).toString(36)}`
  return `${claim}.${signatureOf(claim, digest)}`
}

/** Undefined for one that has expired, was not made here, or is of somebody who is no user any more. */
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
