import { z } from 'zod'
import type { RunEvent } from '@donecheck/core/internal/events'
import { amendmentScopes } from '@donecheck/core/internal/events/gate'

// The CSP forbids compiling code, which zod would try.
z.config({ jitless: true })

const text = z.string()
const amount = z.number()

export const roles = ['read', 'run', 'approve'] as const
export type Role = (typeof roles)[number]

export type Session = z.infer<typeof session>
export const session = z.object({
  user: text,
  roles: z.array(z.enum(roles)),
  version: text,
  place: text,
})

export type RunItem = z.infer<typeof runItem>
export const runItem = z.object({
  runId: text,
  task: text,
  startedAtMs: amount,
  updatedAtMs: amount,
  events: amount,
  workFolder: text.nullable(),
  drive: text.nullish(),
  model: text.nullish(),
  agent: text.nullish(),
  outcome: text.nullish(),
  reason: text.nullish(),
  cap: text.nullish(),
  detector: text.nullish(),
  waiting: z.object({ for: z.enum(['provider', 'limit']), untilMs: amount }).nullish(),
  labels: z.array(text),
  imported: z.boolean().optional(),
  turns: amount.nullish(),
  tokens: amount.nullish(),
  costUsd: amount.nullish(),
  activeMs: amount.nullish(),
  failing: z.array(amount),
})

export type RunsPage = z.infer<typeof runsPage>
export const runsPage = z.object({ runs: z.array(runItem), next: text.nullable() })

export type OpenCheck = z.infer<typeof openCheck>
const openCheck = z.object({ name: text, status: text, reason: text, evidence: z.array(text) })

export type Explanation = z.infer<typeof explanation>
const explanation = z.object({
  by: text,
  end: z
    .object({
      outcome: text,
      reason: text,
      message: text,
      cap: text.optional(),
      detector: text.optional(),
      exitCode: amount,
    })
    .nullable(),
  missing: z.array(openCheck),
  openParts: z.array(text),
  passed: z.array(text),
  next: z.array(z.object({ command: text, why: text })),
})

export const runSummary = z.object({ run: runItem })

export type RunDetails = z.infer<typeof runDetails>
export const runDetails = z.object({ run: runItem, explanation })

/** The service has validated the fields; this only checks that it is an event. */
export const runEvent = z.custom<RunEvent>(isEvent, 'not an event')

function isEvent(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return (
    'type' in value &&
    typeof value.type === 'string' &&
    'sequence' in value &&
    Number.isInteger(value.sequence)
  )
}

export type EventsPage = z.infer<typeof eventsPage>
/** `next` is the next page's cursor; null on the last page. */
export const eventsPage = z.object({ events: z.array(runEvent), next: amount.nullable() })

const scope = z.enum(amendmentScopes)

export type Question = z.infer<typeof question>
const question = z.object({
  id: text,
  runId: text,
  askedAtMs: amount,
  subject: z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('call'),
      tool: text,
      effect: text,
      summary: text,
      reason: text,
      details: text,
      amendment: z.object({ prefix: z.array(text) }).optional(),
      scopes: z.object({ yes: z.array(scope) }),
    }),
    z.object({ kind: z.literal('done'), check: text, question: text, details: text }),
  ]),
})
export const questionsPage = z.object({ questions: z.array(question) })

const rate = z.object({ part: amount, whole: amount, share: amount.nullable() })
const named = z.object({ name: text, count: amount })

export type Figures = z.infer<typeof figures>
const figures = z.object({
  runs: amount,
  ended: amount,
  turns: amount,
  modelCalls: amount,
  toolCalls: amount,
  outcomes: z.array(named),
  reasons: z.array(named),
  verified: rate,
  firstTry: rate,
  falseDone: rate,
  roundsToGreen: z.object({ median: amount.nullable() }),
  cost: z.object({ usd: amount, knownRuns: amount, perVerifiedUsd: amount.nullable() }),
  tokens: z.object({ input: amount, output: amount }),
  activeHours: amount,
  checks: z.object({
    seconds: amount,
    costUsd: amount,
    each: z.array(z.object({ name: text, runs: amount, failures: amount, seconds: amount, flakes: amount })),
  }),
})

export type Group = z.infer<typeof group>
const group = z.object({ name: text, figures })

export type Insights = z.infer<typeof insights>
export const insights = z.object({
  total: figures.nullable(),
  by: z.object({
    model: z.array(group),
    agent: z.array(group),
    project: z.array(group),
    week: z.array(group),
  }),
})

export type TreeChanges = z.infer<typeof treeChanges>
export const treeChanges = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('compared'), diff: text, unknown: z.array(text) }),
  z.object({ kind: z.literal('not-compared'), reason: text }),
])

export const failure = z.object({ error: z.object({ code: text, message: text }) })

export const openQuestions = z.object({ open: amount })
