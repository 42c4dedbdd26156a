/** The shapes in which users say whether something is done. */
import { z } from 'zod'
import type { VerdictStatus } from '@donecheck/core/verdicts'

const status = z.enum(['passed', 'failed', 'error', 'skipped', 'pending'])
const flag = z.boolean().optional()
const text = z.string().nullish()

/** Fields that we do not know are the user's own. */
export const userReport = z.object({
  status: status.optional(),
  passed: flag,
  complete: flag,
  ok: flag,
  /** True: the agent shall go on, so it is not done. */
  continue: flag,
  impossible: flag,
  canRetry: flag,
  can_retry: flag,
  reason: text,
  feedback: text,
  output: text,
  score: z.number().min(0).max(1).optional(),
  costUsd: z.number().nonnegative().optional(),
  qualifiers: z.array(z.unknown()).optional(),
  evidence: z.array(z.unknown()).optional(),
  attachments: z.array(z.object({ digest: z.string(), content: z.string() })).optional(),
})

export type UserReport = z.infer<typeof userReport>

export type Voiced<Value> =
  | { readonly kind: 'said'; readonly value: Value }
  | { readonly kind: 'contradictory' }
  | { readonly kind: 'not-said' }

/** Every field that speaks of the end must say the same. */
export function statusOf(report: UserReport): Voiced<VerdictStatus> {
  const { passed, complete, ok, impossible, status: word } = report
  const goesOn = report.continue
  const isDone = agreedValue([
    passed,
    complete,
    ok,
    goesOn === undefined ? undefined : !goesOn,
    impossible === true ? false : undefined,
    word === undefined ? undefined : word === 'passed',
  ])
  if (isDone.kind !== 'said') return isDone
  return { kind: 'said', value: word ?? (isDone.value ? 'passed' : 'failed') }
}

export function canRetryOf({ canRetry, can_retry: snakeCase, impossible }: UserReport): Voiced<boolean> {
  return agreedValue([canRetry, snakeCase, impossible === true ? false : undefined])
}

function agreedValue(voices: readonly (boolean | undefined)[]): Voiced<boolean> {
  const said = voices.filter((voice) => voice !== undefined)
  const [first] = said
  if (first === undefined) return { kind: 'not-said' }
  return said.every((voice) => voice === first) ? { kind: 'said', value: first } : { kind: 'contradictory' }
}
