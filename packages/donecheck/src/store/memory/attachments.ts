import type { Attachment, Attachments } from '../../ports.ts'
import type { Attempt } from '../attempt.ts'

export function memoryAttachments(attempt: Attempt): Attachments {
  const runs = new Map<string, Map<string, Attachment>>()

  function attach(runId: string, { digest, content }: Attachment): void {
    const ofRun = runs.get(runId) ?? new Map<string, Attachment>()
    if (!ofRun.has(digest)) ofRun.set(digest, { digest, content })
    runs.set(runId, ofRun)
  }

  return {
    attach: (runId, attachment) => attempt(() => attach(runId, attachment)),
    attachment: (runId, digest) => attempt(() => runs.get(runId)?.get(digest)),
    attachmentsOf: (runId) =>
      attempt(() =>
        [...(runs.get(runId)?.values() ?? [])].sort((one, other) => (one.digest < other.digest ? -1 : 1)),
      ),
  }
}
