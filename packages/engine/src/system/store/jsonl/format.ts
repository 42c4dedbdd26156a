/**
 * One run as JSON Lines: a header, its events in order (each line is the event itself), then its attachments.
 * The header says how many lines follow, so that a file that was cut off is not taken for a shorter run.
 */
import { z } from 'zod'
import { UsageError } from '../../../base/index.ts'
import type { Attachments, EventLog, Store } from '../../../ports/store.ts'
import { eventText } from '../texts/event-text.ts'

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
type AttachmentLine = z.infer<typeof attachmentLine>

/**
 * The lines of one run, without line ends. What `importRun` makes of them exports to the same bytes.
 * @throws {UsageError} for a run that is not in the store
 * @throws {CorruptEventError} for a run that cannot be read
 */
export async function* exportRun(
  store: Pick<Store, keyof EventLog | keyof Attachments | 'place'>,
  runId: string,
): AsyncGenerator<string, void, undefined> {
  const events = await store.read(runId)
  if (events.length === 0)
    throw new UsageError(`run ${runId} is not in the store ${store.place}: list the runs`)
  const attachments = await store.attachmentsOf(runId)
  const header: RunHeader = {
    format: runFormat,
    version: runFormatVersion,
    runId,
    events: events.length,
    attachments: attachments.length,
  }
  yield JSON.stringify(header)
  for (const event of events) yield eventText(event)
  for (const { digest, content } of attachments) {
    const line: AttachmentLine = { type: 'attachment', digest, content }
    yield JSON.stringify(line)
  }
}
