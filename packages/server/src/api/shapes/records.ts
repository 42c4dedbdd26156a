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
