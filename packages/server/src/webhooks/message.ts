import { sha256 } from '@donecheck/engine/base'
import type { KeptQuestion } from '@donecheck/engine/ports/questions'
import type { RunSummary } from '@donecheck/engine/ports/store'
import { oneLine } from '@donecheck/engine/report'
import type { RunEvent } from '@donecheck/engine'

/** What somebody wants to hear of, before it is known for whom. */
export interface News {
  /** The same for the same thing, whoever finds it and whenever. */
  readonly key: string
  readonly type: 'run.done' | 'run.capped' | 'run.blocked' | 'run.stopped' | 'approval.requested'
  readonly timeMs: number
  readonly data: Readonly<Record<string, string | number | null>>
}

/** In UTF-16 units. Models have a hand in these texts. */
const maxTextLength = 500

export type RunStopped = Extract<RunEvent, { type: 'run-stopped' }>

export function endNews({ runId, sequence, timeMs, transition }: RunStopped, { task }: RunSummary): News {
  const { outcome, reason, message, cap = null, detector = null } = transition
  return {
    key: `${runId} ${sequence}`,
    type: endType(transition),
    timeMs,
    data: {
      ...{ runId, sequence, outcome, reason, cap, detector },
      task: oneLine(task, maxTextLength),
      message: oneLine(message, maxTextLength),
    },
  }
}

function endType({ outcome, reason }: RunStopped['transition']): News['type'] {
  if (outcome === 'verified') return 'run.done'
  if (outcome === 'blocked') return 'run.blocked'
  return reason === 'hard_cap' ? 'run.capped' : 'run.stopped'
}

export function questionNews({ id, runId, askedAtMs, subject }: KeptQuestion): News {
  const about =
    subject.kind === 'call'
      ? { tool: subject.tool, summary: oneLine(subject.summary, maxTextLength) }
      : { check: subject.check, summary: oneLine(subject.question, maxTextLength) }
  return {
    key: `question ${id}`,
    type: 'approval.requested',
    timeMs: askedAtMs,
    data: { questionId: id, runId, kind: subject.kind, ...about },
  }
}

/** One for each URL: whoever gets it twice knows it by its id. */
export interface Message {
  readonly id: string
  readonly url: string
  readonly body: string
}

export function messageOf({ key, type, timeMs, data }: News, url: string): Message {
  const body = { type, timestamp: new Date(timeMs).toISOString(), data }
  return { id: `msg_${sha256([key, type, url].join('\n')).slice(0, 32)}`, url, body: JSON.stringify(body) }
}
