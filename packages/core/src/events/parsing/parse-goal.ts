/** The stored form of goals. */
import { z } from 'zod'
import { waitEnds } from '../../goal/index.ts'
import { verifierDescription } from './parse-settings.ts'

const text = z.string()

const bound = z.number().positive().exactOptional()

const budget = z.object({ turns: bound, tokens: bound, costUsd: bound, activeMs: bound }).exactOptional()

export const subGoal = z.object({
  id: text,
  title: text,
  parentId: text.nullable(),
  checks: z.array(text),
  after: z.array(text),
  weight: z.number().positive(),
  isProposed: z.boolean(),
  paths: z.array(text).exactOptional(),
  budget,
})

const checkSpecs = z.array(z.object({ name: text, command: text }))

const awaited = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('process'), processId: z.number().int(), processStart: text.nullable() }),
  z.object({ kind: z.literal('run'), runId: text }),
  z.object({ kind: z.literal('time') }),
])

/** Also of a request that waits in the store. */
export const goalChangeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('replaced'), goalId: text, objective: text }),
  z.object({ kind: z.literal('objective-edited'), objective: text }),
  z.object({ kind: z.literal('sub-goal-added'), subGoal, checks: checkSpecs }),
  z.object({ kind: z.literal('sub-goal-edited'), id: text, title: text.exactOptional(), budget }),
  z.object({ kind: z.literal('sub-goal-over-budget'), id: text, reason: text }),
  z.object({ kind: z.literal('checks-added'), checks: checkSpecs }),
  z.object({ kind: z.literal('paused'), reason: text }),
  z.object({ kind: z.literal('resumed') }),
  z.object({ kind: z.literal('cleared') }),
  z.object({ kind: z.literal('wait-began'), awaited, expiresAtMs: z.number(), reason: text }),
  z.object({ kind: z.literal('blocker-reported'), blocker: text }),
  z.object({ kind: z.literal('progress-reported'), progress: text }),
  z.object({ kind: z.literal('completion-requested') }),
])

const request = z.number().int().positive()

export const goalShapes = {
  changed: {
    goalId: text,
    by: text,
    change: goalChangeSchema,
    verifiers: z.array(verifierDescription).exactOptional(),
    request: request.exactOptional(),
  },
  changeRefused: { by: text, kind: text, reason: text, request: request.exactOptional() },
  driveSteered: { goalId: text, text },
  waitEnded: { goalId: text, how: z.enum(waitEnds) },
}
