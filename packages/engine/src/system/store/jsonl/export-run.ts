import { UsageError } from '../../../base/index.ts'
import type { Attachments, EventLog, Store } from '../../../ports/store.ts'
import { eventText } from '../event-text.ts'
import { runFormat, runFormatVersion, type AttachmentLine, type RunHeader } from './format.ts'

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
