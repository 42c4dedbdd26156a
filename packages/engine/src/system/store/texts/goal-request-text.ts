/** The stored form of what is asked of a goal. */
import { z } from 'zod'
import { goalChange, type GoalRequest } from '@donecheck/core/goal'
import { jsonOf } from '../../../base/index.ts'

const stored: z.ZodType<GoalRequest> = z.object({
  goalId: z.string().nullable(),
  by: z.string(),
  change: goalChange,
})

/** @throws {TypeError} for a request that could not be read again: nothing of it is kept */
export function goalRequestText(request: GoalRequest): string {
  const { data, error } = stored.safeParse(request)
  if (data === undefined) throw new TypeError(`this request cannot be kept: ${z.prettifyError(error)}`)
  return JSON.stringify(data)
}

/** Undefined for one that makes no sense, or comes from a newer version: the run goes on without it. */
export function goalRequestOfText(text: string): GoalRequest | undefined {
  return stored.safeParse(jsonOf(text)).data
}
