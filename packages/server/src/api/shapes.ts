/** Schemas and errors that routes share. */
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { z } from 'zod'
import { CorruptEventError, messageOf, StoreError, UsageError } from '@donecheck/engine/internal/base'

export const text = z.string()
export const count = z.number().int().nonnegative()
export const epochMs = z.number().describe('milliseconds since the Unix epoch')

export function list<Item extends z.ZodType>(item: Item) {
  return z.array(item).readonly()
}

export function integerBetween(min: number, max: number) {
  return z.coerce.number<number>().int().min(min).max(max)
}

export const sequence = integerBetween(0, Number.MAX_SAFE_INTEGER)

/** Adds zod's own JSON schema, because zod-to-openapi takes `exactOptional` keys for required. */
export function withJsonSchema<Schema extends z.ZodType>(schema: Schema, meta: { id?: string } = {}): Schema {
  const jsonSchema = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return schema.meta({ type: 'object', ...jsonSchema, $schema: undefined, ...meta })
}

/** Ids are only looked up, so an invalid one matches no run. */
export const withId = z.object({ id: text })

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
  readonly retryAfterSeconds: number | undefined

  constructor(code: ProblemCode, message: string, retryAfterSeconds?: number) {
    super(message)
    this.name = 'Problem'
    this.code = code
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export const errorResponse = z
  .object({
    error: z.object({
      code: z.enum(Object.keys(problemCodes)),
      message: z.string().describe('what is wrong and how to fix it, for a person'),
    }),
  })
  .meta({ id: 'ErrorAnswer' })

/** Hides the message of unexpected errors, because it may contain anything. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (error instanceof HTTPException) return invalid('The body is not JSON')
  if (error instanceof UsageError) return new Problem('refused', error.message)
  if (error instanceof CorruptEventError) return new Problem('damaged-record', messageOf(error))
  if (error instanceof StoreError)
    return new Problem(
      'unavailable',
      'The store cannot be read or written now. See the log of the service.',
      5,
    )
  return new Problem('internal', 'The service failed. See its log.')
}

export function invalid(message: string): Problem {
  return new Problem('invalid-request', `${message}. See /api/openapi.json.`)
}
