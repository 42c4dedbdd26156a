/** Where the record may hold a secret that nobody knew how to mask. */
import type { Evidence } from '@donecheck/core/verdicts'
import type { RunEvent } from '@donecheck/core/events'
import { likelySecretIn } from '@donecheck/core/secrets'
import { oneLine } from '@donecheck/core/base'
import { line, type Line } from './line.ts'

/** At most one for an event: whoever looks there sees the others. */
export function secretNote(event: RunEvent): readonly Line[] {
  for (const text of textsOf(event)) {
    const found = likelySecretIn(text)
    if (found === undefined) continue
    const what = `beside "${oneLine(found.near, 40)}" stands what looks like a secret (${found.length} letters)`
    const wayOut = 'and the record keeps it: name its variable under `secrets` to mask it'
    return [line('warning', `  ! ${what}, ${wayOut}`)]
  }
  return []
}

/** What came from outside, or was written there. */
function textsOf(event: RunEvent): readonly string[] {
  switch (event.type) {
    case 'goal-set':
      return [event.task]
    case 'model-replied':
      return [event.text, ...event.toolCalls.map(({ args }) => JSON.stringify(args))]
    case 'tool-returned':
      return [event.output]
    case 'verdict-given':
      return event.verdict.evidence.flatMap(textsOfEvidence)
    default:
      return []
  }
}

function textsOfEvidence(evidence: Evidence): readonly string[] {
  if (evidence.kind === 'note') return [evidence.text]
  return evidence.kind === 'command' ? [evidence.command, evidence.output.head, evidence.output.tail] : []
}
