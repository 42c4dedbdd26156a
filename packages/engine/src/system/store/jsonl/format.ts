/**
 * One run as JSON Lines: a header, its events in order (each line is the event itself), then its attachments.
 * The header says how many lines follow, so that a file that was cut off is not taken for a shorter run.
 */
import { z } from 'zod'

export const runFormat = 'donecheck-run'
export const runFormatVersion = 1

const count = z.number().int().nonnegative()

export const headerLine = z.object({
  format: z.literal(runFormat),
  version: z.literal(runFormatVersion),
  // Control characters and half characters do not survive in every store's keys.
  runId: z
    .string()
    .regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u, 'a run id has 1 to 200 characters, none of them a control'),
  events: count.positive(),
  attachments: count,
})

/** Its type is none of an event's. */
export const attachmentLine = z.object({
  type: z.literal('attachment'),
  digest: z
    .string()
    .regex(/^[^\p{Cc}\p{Cs}]{1,200}$/u, 'a digest has 1 to 200 characters, none of them a control'),
  content: z.string(),
})

export type RunHeader = z.infer<typeof headerLine>
export type AttachmentLine = z.infer<typeof attachmentLine>
