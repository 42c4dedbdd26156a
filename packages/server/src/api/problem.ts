/** A request that is answered with an error: what went wrong, as a code for programs and a sentence for people with the way out. */
import { CorruptEventError, messageOf, StoreError, UsageError } from '@donecheck/engine/base'
import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** Every code of an error, with its status. */
export const problemCodes = {
  'invalid-request': 400,
  unauthenticated: 401,
  forbidden: 403,
  'foreign-origin': 403,
  'not-found': 404,
  conflict: 409,
  'damaged-record': 409,
  'too-large': 413,
  'unsupported-media-type': 415,
  'unknown-host': 421,
  refused: 422,
  'too-many-requests': 429,
  internal: 500,
  unavailable: 503,
} as const satisfies Readonly<Record<string, ContentfulStatusCode>>

export type ProblemCode = keyof typeof problemCodes

export class Problem extends Error {
  readonly code: ProblemCode
  /** Seconds after which it may be tried again. */
  readonly retryAfterSeconds: number | undefined

  constructor(code: ProblemCode, message: string, retryAfterSeconds?: number) {
    super(message)
    this.name = 'Problem'
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** What is no expected failure is told to nobody outside: its text may hold anything. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof UsageError) return new Problem('refused', error.message)
  if (error instanceof CorruptEventError) return new Problem('damaged-record', messageOf(error))
  if (error instanceof StoreError)
    return new Problem(
      'unavailable',
      'the store cannot be read or written now; the log of the service says why',
      5,
    )
  return new Problem('internal', 'the service failed; its log says why')
}
