import { z } from 'zod'
import { isPlain, jsonCopy } from '../register/json-copy.ts'
import { showValue } from '../fire/show-thrown.ts'
import type { Reading } from './point-rules.ts'

/** JSON of a hook's own making, copied. */
export const json = z.unknown().transform((value, context) => {
  const copied = jsonCopy(value)
  if (copied.kind === 'json') return copied.value
  context.addIssue({ code: 'custom', message: copied.problem })
  return z.NEVER
})

/** A text that says something. */
export const words = z.string().refine((text) => text.trim() !== '', 'it is empty: say why, or leave it out')

/**
 * Reads the fields that a point knows, each once. Nothing at all is an empty answer; a field that nobody knows is wrong, for it
 * was meant to do something.
 */
export function fieldReader<Result>(schema: z.ZodType<Result>): (value: unknown) => Reading<Result> {
  return (value) => {
    if (value !== undefined && !isPlain(value))
      return {
        kind: 'wrong',
        problem: `it answered with ${showValue(value)} and not with an object or nothing`,
      }
    const parsed = schema.safeParse(value === undefined ? {} : fieldsOf(value))
    if (parsed.success) return { kind: 'result', result: parsed.data }
    const [issue] = parsed.error.issues
    const place = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.join('.')}: `
    return {
      kind: 'wrong',
      problem: `its answer cannot be used: ${place}${issue?.message ?? 'not understood'}`,
    }
  }
}

function fieldsOf(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).filter(([, field]) => field !== undefined))
}
