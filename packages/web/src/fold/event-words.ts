import type { JsonValue, RunEvent } from '@donecheck/core/events'
import type { Tone } from './runs.ts'

interface EventWords {
  readonly tone: Tone | 'plain'
  readonly text: string
}

const maxLength = 300

/** No event is without words: what is said nowhere else is its type. */
export function eventWords(event: RunEvent): EventWords {
  const { tone, text } = wordsOf(event)
  return { tone, text: text.slice(0, maxLength).replaceAll(/\s+/g, ' ') }
}

function words(tone: EventWords['tone'], text: string): EventWords {
  return { tone, text }
}

function wordsOf(event: RunEvent): EventWords {
  switch (event.type) {
    case 'run-started':
      return words('plain', `${event.drive.name} in ${event.workFolder ?? 'no folder'}`)
    case 'run-resumed':
      return words('plain', `by ${event.holder}`)
    case 'interrupt-requested':
      return words('warn', `by ${event.by}`)
    case 'run-stopped':
      return words(event.transition.outcome === 'verified' ? 'good' : 'bad', event.transition.message)
    case 'goal-set':
      return words('plain', event.task)
    case 'goal-changed':
      return words('plain', `${event.change.kind} by ${event.by}`)
    case 'goal-change-refused':
    case 'sub-run-ended':
      return words('warn', 'reason' in event ? event.reason : event.message)
    case 'budget-added':
      return words('plain', `by ${event.by}: ${compactJson(event.added)}`)
    case 'finding-noted':
      return words(
        event.finding.level === 'stop' ? 'bad' : 'warn',
        `${event.finding.rule}: ${event.finding.message}`,
      )
    default:
      return wordsOfTurn(event)
  }
}

function wordsOfTurn(event: RunEvent): EventWords {
  switch (event.type) {
    case 'model-called':
      return words('quiet', `turn ${event.turn}${event.attempt > 1 ? `, try ${event.attempt}` : ''}`)
    case 'model-replied':
      return words('plain', event.problem ?? [event.text, ...event.toolCalls.map(callWords)].join(' ').trim())
    case 'model-failed':
      return words('warn', event.failure.message)
    case 'wait-started':
      return words('live', `until ${new Date(event.untilMs).toLocaleTimeString()}: ${event.reason}`)
    case 'gate-decided':
      return words(event.decision === 'allow' ? 'quiet' : 'warn', `${event.decision}: ${event.reason}`)
    case 'hook-ran':
      return words('quiet', `${event.hook} at ${event.point}: ${event.note ?? event.effect}`)
    case 'approval-requested':
      return words('live', event.question)
    case 'approval-given':
      return words(
        event.approved ? 'good' : 'warn',
        `${event.approved ? 'allowed' : 'denied'} by ${event.by}`,
      )
    case 'tool-called':
      return words('plain', `${event.tool} (${event.effect})`)
    case 'tool-returned':
      return words(
        event.status === 'ok' ? 'quiet' : 'warn',
        event.output.trim() === '' ? event.status : event.output,
      )
    case 'tool-refused':
      return words('warn', `${event.by}: ${event.reason}`)
    case 'turn-ended':
      return words('plain', `${event.transition.kind}: ${event.transition.reason}`)
    default:
      return wordsOfChecks(event)
  }
}

function wordsOfChecks(event: RunEvent): EventWords {
  switch (event.type) {
    case 'verification-started':
      return words('quiet', `${event.trigger}: ${event.verifiers.join(', ')}`)
    case 'verdict-given':
    case 'reply-judged':
      return words(event.verdict.status === 'passed' ? 'good' : 'bad', event.verdict.reason)
    case 'workspace-observed':
      return words('quiet', event.fingerprint.slice(0, 12))
    case 'reply-settled':
      return words('plain', event.message)
    case 'drive-steered':
    case 'memory-recalled':
    case 'final-summary-replied':
      return words('plain', event.text)
    case 'agent-plan-reported':
      return words('quiet', event.entries.map(({ text }) => text).join(', '))
    default:
      return words('quiet', '')
  }
}

function callWords({ tool, args }: { readonly tool: string; readonly args: JsonValue }): string {
  return `${tool} ${argumentWords(args)}`
}

/** The values alone: what a person tells calls apart by. */
export function argumentWords(args: JsonValue): string {
  const isRecord = typeof args === 'object' && args !== null && !Array.isArray(args)
  const values: readonly JsonValue[] = isRecord ? Object.values(args) : [args]
  return values
    .map((value) => (typeof value === 'string' ? value : compactJson(value)))
    .join(' ')
    .slice(0, maxLength)
}

function compactJson(value: JsonValue | object): string {
  return JSON.stringify(value)
}

export class EventFilter {
  readonly #wanted: string
  readonly #places: number[] = []
  #seen = 0

  /** @param wanted a part of the type or of the words; empty: all */
  constructor(wanted: string) {
    this.#wanted = wanted.toLowerCase()
  }

  in(events: readonly RunEvent[]): readonly number[] | 'all' {
    if (this.#wanted === '') return 'all'
    for (; this.#seen < events.length; this.#seen += 1) {
      const event = events[this.#seen]
      if (event !== undefined && this.#matches(event)) this.#places.push(this.#seen)
    }
    return this.#places
  }

  #matches(event: RunEvent): boolean {
    return event.type.includes(this.#wanted) || eventWords(event).text.toLowerCase().includes(this.#wanted)
  }
}
