/** Of all that happened, what a judge needs. One walk from the end, and nothing is written out that will not be shown. */
import type { RunEvent } from '@donecheck/core/events'
import type { Verdict } from '@donecheck/core/verdicts'

export interface TurnText {
  readonly turn: number
  readonly text: string
}

export interface RecordOfRun {
  /** The latest turns in which the drive said something, the oldest first; what is judged is not among them. */
  readonly turns: readonly TurnText[]
  /** What really happened, the oldest first: calls with their results, and refusals. */
  readonly evidence: readonly RunEvent[]
  /** Older events of that kind that are left out. */
  readonly omittedEvents: number
  /** The latest of every check; judges are left out, lest one follows another. */
  readonly verdicts: readonly (RunEvent & { readonly type: 'verdict-given' })[]
  /** Each text once, the oldest first. */
  readonly feedback: readonly string[]
  /** How the latest reply ended, and the time since the run began. */
  readonly finish: string | undefined
  readonly durationMs: number
}

const maxTurns = 5
/** More would not fit into any budget. */
const maxReplies = 20
const maxEvidence = 200

export function readRecord(events: readonly RunEvent[], answer: string): RecordOfRun {
  const turns: TurnText[] = []
  const evidence: RunEvent[] = []
  const verdicts = new Map<string, RecordOfRun['verdicts'][number]>()
  const feedback = new Set<string>()
  let omittedEvents = 0
  let finish: string | undefined
  let turn = 0
  let endedTurns = 0
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const event = events[index]
    if (event === undefined) continue
    switch (event.type) {
      case 'tool-returned':
      case 'tool-refused':
        if (evidence.length < maxEvidence) evidence.push(event)
        else omittedEvents += 1
        break
      case 'verdict-given':
        if (!isOfJudge(event.verdict) && !verdicts.has(event.verdict.verifier))
          verdicts.set(event.verdict.verifier, event)
        break
      case 'turn-ended':
        turn = event.turn
        endedTurns += 1
        if (event.feedback !== undefined) feedback.add(event.feedback)
        break
      case 'model-replied':
        finish ??= event.finish
        if (endedTurns <= maxTurns && turns.length < maxReplies && isWorthShowing(event.text, answer))
          turns.push({ turn, text: event.text })
        break
      default:
    }
  }
  return {
    turns: turns.toReversed(),
    evidence: evidence.toReversed(),
    omittedEvents,
    verdicts: [...verdicts.values()].toReversed(),
    feedback: [...feedback].toReversed(),
    finish,
    durationMs: (events.at(-1)?.timeMs ?? 0) - (events[0]?.timeMs ?? 0),
  }
}

function isWorthShowing(text: string, answer: string): boolean {
  return text.trim() !== '' && text !== answer
}

function isOfJudge({ evidence }: Verdict): boolean {
  return evidence.some(({ kind }) => kind === 'judge')
}
