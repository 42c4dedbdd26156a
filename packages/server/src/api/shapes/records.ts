/** Verdicts, attachments and receipts of a run. */
import { z } from 'zod'
import { count, epochMs, storedEvent, text } from './common.ts'

export const eventPage = z.object({
  events: z.array(storedEvent),
  next: count.nullable().describe('`after` of the next page; null: there is nothing more now'),
})

export const verdictList = z.object({
  verdicts: z.array(
    z.object({
      sequence: count,
      timeMs: epochMs,
      verdict: z.looseObject({ verifier: text, status: text, reason: text }),
    }),
  ),
})

/** An in-toto statement. */
export const receipt = z.looseObject({
  _type: text,
  subject: z.array(z.looseObject({ name: text })),
  predicateType: text,
  predicate: z.looseObject({ runId: text, digest: text }),
})

export const treeChanges = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('compared'),
    diff: text.describe('unified; what looks like a secret is masked, and very long ones are cut'),
    unknown: z.array(text).describe('paths that differ and cannot be shown as text'),
  }),
  z.object({ kind: z.literal('not-compared'), reason: text }),
])
