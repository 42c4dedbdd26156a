/** Shapes that many routes share. */
import { z } from 'zod'

/** Shapes with a name of their own in the OpenAPI document. */
export const shapeNames = z.registry<{ readonly id: string }>()

export function named<Shape extends z.ZodType>(id: string, shape: Shape): Shape {
  shapeNames.add(shape, { id })
  return shape
}

export const text = z.string()
export const count = z.number().int().nonnegative()
export const amount = z.number()
export const epochMs = z.number().describe('milliseconds since the Unix epoch')

/** Ids are looked up and never parsed: a strange one is of no run. */
export const runId = z.string().min(1).max(200)

/** A number in an address. */
export function wholeWithin(least: number, most: number) {
  return z.coerce.number().int().min(least).max(most)
}

/** `?all=true`. */
export const flag = z.enum(['true', 'false']).transform((word) => word === 'true')

export const sequence = wholeWithin(0, Number.MAX_SAFE_INTEGER)

/** As it stands in the record: `@donecheck/core` knows every kind. */
export const storedEvent = named(
  'StoredEvent',
  z.looseObject({ type: text, id: text, runId: text, sequence: count, timeMs: epochMs }),
)
