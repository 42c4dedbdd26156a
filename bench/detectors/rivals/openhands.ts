/**
 * OpenHands software-agent-sdk: the stuck detector with its default numbers, S1 to S4 (S5 is always false there). The last 20
 * events since the last message to the agent are looked at. The text before a call is part of the action, so another
 * wording is another action.
 *
 * Left open by the description, chosen here: the calls of one reply all carry its text; each result stands right behind its
 * call, though in a batch all actions come first; a shell's or program's failure is an ordinary observation whose status
 * is part of it, any other failed call is an `AgentErrorEvent`; errors count as observations in S1 and S4; a result that is not
 * known equals nothing; an agent's message is a reply that asks for no call and is not empty.
 */
import type { Alarm, CallStep, Detector, Watch } from '../detector.ts'
import { callKey, hasFailed } from './outcome.ts'
import { kindOf } from './tool-kinds.ts'

const windowLength = 20
const fewestEvents = 3
const equalPairs = 4
const alternatingPairs = 6
const errorsToStop = 4
const errorsToNudge = 3
const messagesToStop = 3

interface LoopEvent {
  readonly kind: 'action' | 'observation' | 'error' | 'message'
  /** Null equals nothing. */
  readonly content: string | null
}

export const openHands: Detector = { name: 'OpenHands', readsResults: true, begin }

function begin(): Watch {
  let events: readonly LoopEvent[] = []
  let thought = { turn: -1, text: '' }
  const add = (...added: readonly LoopEvent[]): Alarm | undefined => {
    events = [...events, ...added].slice(-windowLength)
    return events.length < fewestEvents ? undefined : alarmOf(events)
  }
  return {
    observe(step) {
      switch (step.kind) {
        case 'message':
          events = []
          return undefined
        case 'reply':
          thought = { turn: step.turn, text: step.text }
          return step.calls > 0 || step.text === '' ? undefined : add({ kind: 'message', content: step.text })
        case 'call':
          return add(actionOf(step, thought.turn === step.turn ? thought.text : ''), observationOf(step))
      }
    },
  }
}

function actionOf(step: CallStep, thought: string): LoopEvent {
  return { kind: 'action', content: `${callKey(step)} ${thought}` }
}

function observationOf(step: CallStep): LoopEvent {
  const toolKind = kindOf(step)
  const isError = hasFailed(step) && toolKind !== 'shell' && toolKind !== 'code'
  const content = step.resultDigest === null ? null : `${step.tool} ${step.isError} ${step.resultDigest}`
  return { kind: isError ? 'error' : 'observation', content }
}

function alarmOf(events: readonly LoopEvent[]): Alarm | undefined {
  const actions = events.filter(({ kind }) => kind === 'action')
  const observations = events.filter(({ kind }) => kind === 'observation' || kind === 'error')
  if (repeats(actions, 1, equalPairs) && repeats(observations, 1, equalPairs)) return stop('S1')
  const errors = trailingErrors(events)
  if (errors >= errorsToStop) return stop('S2')
  if (trailingMessages(events) >= messagesToStop) return stop('S3')
  if (repeats(actions, 2, alternatingPairs) && repeats(observations, 2, alternatingPairs)) return stop('S4')
  return errors === errorsToNudge ? { level: 'warn', rule: 'S2' } : undefined
}

function stop(rule: string): Alarm {
  return { level: 'stop', rule }
}

/** The last `count` events are there, and each equals the one `period` before it. */
function repeats(events: readonly LoopEvent[], period: number, count: number): boolean {
  const tail = events.slice(-count)
  return tail.length === count && tail.every((event, at) => at < period || areEqual(event, tail[at - period]))
}

function areEqual(one: LoopEvent, other: LoopEvent | undefined): boolean {
  return one.content !== null && one.kind === other?.kind && one.content === other.content
}

/** Pairs at the end of the same action and an error, whatever the error says. */
function trailingErrors(events: readonly LoopEvent[]): number {
  let count = 0
  for (let at = events.length - 1; at > 0; at -= 2) {
    const action = events[at - 1]
    if (events[at]?.kind !== 'error' || action === undefined) break
    if (action.kind !== 'action' || action.content !== events.at(-2)?.content) break
    count += 1
  }
  return count
}

function trailingMessages(events: readonly LoopEvent[]): number {
  const others = events.findLastIndex(({ kind }) => kind !== 'message')
  return events.length - 1 - others
}
