import { TerminalError } from '@restatedev/restate-sdk'
import { z } from 'zod'

/**
 * What was sent to a handler.
 * @throws {TerminalError} for what it cannot read: tried again, as other errors are, it would hold up all that comes after it
 */
export function readMessage<Value>(schema: z.ZodType<Value>, given: unknown): Value {
  const read = schema.safeParse(given)
  if (read.success) return read.data
  throw new TerminalError(`this is no message for it: ${z.prettifyError(read.error)}`)
}
