/** The parts of a context, as lists of titled texts, before they are fenced. */
import type { RunEvent } from '@donecheck/core/events'
import { seconds } from '@donecheck/core/base'
import { callsOf, recordText, verdictText, visible } from '../../verify/opinions/judging/index.ts'
import { readRecord, type RecordOfRun } from './read-record.ts'

export interface Entry {
  readonly title: string
  readonly text: string
}

/** A text that says how work is done in this project, such as AGENTS.md. */
export interface RuleText {
  readonly name: string
  readonly text: string
}

export interface JudgedCase {
  readonly task: string
  readonly answer: string
  readonly events: readonly RunEvent[]
  readonly rules: readonly RuleText[]
  /** What has changed in the work folder; undefined where that is not known. */
  readonly changes: string | undefined
}

/** In the order in which a judge reads them; the oldest first in each. */
export const partNames = [
  ...(['task', 'rules', 'turns', 'evidence', 'changes'] as const),
  ...(['verdicts', 'facts', 'feedback', 'answer'] as const),
]

export type PartName = (typeof partNames)[number]
export type Parts = Readonly<Record<PartName, readonly Entry[]>>

/** Characters. */
const maxAnswer = 12_000
export const maxRules = 8_000
const maxEvidence = 12_000
const maxChanges = 6_000
const maxTurn = 2_000
const maxEvent = 2_000
const maxFeedback = 1_500

export function partsOf({ task, answer, events, rules, changes }: JudgedCase): Parts {
  const record = readRecord(events, answer)
  const evidence = evidenceOf(record, events)
  return {
    task: [{ title: 'message of the user', text: visible(task) }],
    rules: rulesOf(rules),
    turns: record.turns.map(({ turn, text }) => ({
      title: turn === 0 ? 'earlier in this turn, the agent' : `turn ${turn}, the agent`,
      text: visible(excerpt(text, maxTurn)),
    })),
    evidence,
    changes:
      changes === undefined || changes.trim() === ''
        ? []
        : [{ title: 'changed files', text: visible(beginning(changes, maxChanges)) }],
    verdicts: record.verdicts.map(({ id, verdict }) => ({
      title: `event ${id}: verdict of a check`,
      text: visible(verdictText(verdict)),
    })),
    facts: [{ title: 'the run', text: factsText(record, record.evidence.length - evidence.length) }],
    feedback: record.feedback.map((text) => ({
      title: 'earlier feedback to the agent',
      text: visible(excerpt(text, maxFeedback)),
    })),
    answer: [{ title: 'the answer to be judged', text: visible(excerpt(answer, maxAnswer)) }],
  }
}

function rulesOf(rules: readonly RuleText[]): readonly Entry[] {
  let room = maxRules
  return rules.flatMap(({ name, text }) => {
    const shown = beginning(text.trim(), room)
    room -= shown.length
    return shown === '' ? [] : [{ title: `rules of ${name}`, text: visible(shown) }]
  })
}

/** From the latest back, as long as there is room. */
function evidenceOf({ evidence }: RecordOfRun, events: readonly RunEvent[]): readonly Entry[] {
  if (evidence.length === 0) return []
  const calls = callsOf(events)
  const entries: Entry[] = []
  let room = maxEvidence
  for (const event of evidence.toReversed()) {
    const whole = recordText(event, (callId) => calls.get(callId)) ?? ''
    const text = visible(excerpt(whole, maxEvent))
    room -= text.length
    if (room < 0) break
    entries.push({ title: `event ${event.id}: a tool call and its result`, text })
  }
  return entries.toReversed()
}

function factsText({ finish, durationMs, omittedEvents }: RecordOfRun, notShown: number): string {
  const omitted = omittedEvents + notShown
  return [
    `the latest reply ended with: ${finish ?? 'nothing was recorded'}`,
    `time since the run began: ${seconds(durationMs)}`,
    ...(omitted === 0 ? [] : [`${omitted} older tool calls are not shown`]),
  ].join('\n')
}

/** Both ends of a text that is too long, with a word on what is missing between them. Length in UTF-16 units. */
function excerpt(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const mark = `\n[... ${text.length - maxLength} characters left out ...]\n`
  const room = Math.max(0, maxLength - mark.length)
  const head = Math.ceil(room / 2)
  return `${text.slice(0, head)}${mark}${text.slice(text.length - (room - head))}`
    .toWellFormed()
    .slice(0, maxLength)
}

/** The beginning of a text that is too long. */
export function beginning(text: string, maxLength: number): string {
  const mark = '\n[... the rest is left out ...]'
  if (text.length <= maxLength) return text
  if (maxLength < mark.length) return ''
  return `${text.slice(0, maxLength - mark.length).toWellFormed()}${mark}`
}
