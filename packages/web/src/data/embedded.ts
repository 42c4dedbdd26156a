/** One run inside of the page itself: a report that needs no service and no network. */
import { z } from 'zod'
import { runDetails, runEvent } from './shapes.ts'
import { SourceError, type Source } from './source.ts'

/** Id of the element that holds it. */
export const embeddedId = 'donecheck-run'

const embeddedRun = runDetails.extend({
  events: z.array(runEvent),
  /** By digest. */
  attachments: z.record(z.string(), z.string()),
})

/** Undefined: the page came from a service. */
export function embeddedSource(
  json: string | undefined,
): { readonly runId: string; readonly source: Source } | undefined {
  if (json === undefined) return undefined
  const { events, attachments, ...details } = embeddedRun.parse(JSON.parse(json))
  return {
    runId: details.run.runId,
    source: {
      summary: async () => details.run,
      details: async () => details,
      events: async (_, after) => ({ events: events.filter(({ sequence }) => sequence > after), next: null }),
      // Nothing happens any more in a file.
      follow: () => () => undefined,
      attachment: async (_, digest) => {
        const text = attachments[digest]
        if (text === undefined)
          throw new SourceError('This output is not in the file. `donecheck export` has it.')
        return text
      },
      treeChanges: async () => ({ kind: 'not-compared', reason: 'a file does not hold the work folder' }),
    },
  }
}
