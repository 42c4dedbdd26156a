import { fenceAround, type Fence } from '../../base/index.ts'
import type { RunEvent } from '@donecheck/core/internal/events'
import { seconds } from '@donecheck/core/internal/base'
import { callsOf, recordText, verdictText, visible } from '../verify/opinions/judging.ts'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gitDiffText } from '../verify/index.ts'

interface JudgeContext {
  readonly text: string
  /** Marks the lines around data. */
  readonly nonce: string
}

/** @param maxLength UTF-16 units. Drops old turns, calls, changes, rules, feedback in this order */
export function assembleContext(judged: JudgedCase, maxLength: number): JudgeContext {
  const parts = partsOf(judged)
  const all = partNames.flatMap((name) => parts[name])
  const dropped = new Set<Entry>()
  let excess = lengthOf(all) - maxLength
  for (const entry of droppedFirst.flatMap((name) => parts[name])) {
    if (excess <= 0) break
    dropped.add(entry)
    excess -= lengthOf([entry])
  }
  const entries = all.filter((entry) => !dropped.has(entry))
  const fence = fenceAround(entries.flatMap(({ title, text }) => [title, text]))
  return { text: entries.map((entry) => fenced(entry, fence)).join(separator), nonce: fence.nonce }
}

const separator = '\n\n'

function fenced({ title, text }: Entry, fence: Fence): string {
  return `${fence.open(title)}\n${text}\n${fence.close}`
}

const sizedFence = fenceAround([])

function lengthOf(entries: readonly Entry[]): number {
  return entries.reduce((sum, entry) => sum + fenced(entry, sizedFence).length + separator.length, 0)
}

interface Entry {
  readonly title: string
  readonly text: string
}

/** Project rules, such as AGENTS.md. */
export interface RuleText {
  readonly name: string
  readonly text: string
}

export interface JudgedCase {
  readonly task: string
  readonly answer: string
  readonly events: readonly RunEvent[]
  readonly rules: readonly RuleText[]
  /** Changes in the work folder; undefined if unknown. */
  readonly changes: string | undefined
}

/** In reading order, oldest first. */
const partNames = [
  ...(['task', 'rules', 'turns', 'evidence', 'changes'] as const),
  ...(['verdicts', 'facts', 'feedback', 'answer'] as const),
]

type PartName = (typeof partNames)[number]
const droppedFirst: readonly PartName[] = ['turns', 'evidence', 'changes', 'rules', 'feedback']
type Parts = Readonly<Record<PartName, readonly Entry[]>>

/** Characters. */
const maxAnswer = 12_000
const maxRules = 8_000
const maxEvidenceLength = 12_000
const maxChanges = 6_000
const maxTurn = 2_000
const maxEvent = 2_000
const maxFeedback = 1_500

function partsOf({ task, answer, events, rules, changes }: JudgedCase): Parts {
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

/** From the latest back, while there is room. */
function evidenceOf({ evidence }: RecordOfRun, events: readonly RunEvent[]): readonly Entry[] {
  if (evidence.length === 0) return []
  const calls = callsOf(events)
  const entries: Entry[] = []
  let room = maxEvidenceLength
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

/** Keeps both ends of a long text and says how much is missing. UTF-16 units. */
function excerpt(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const mark = `\n[... ${text.length - maxLength} characters left out ...]\n`
  const room = Math.max(0, maxLength - mark.length)
  const head = Math.ceil(room / 2)
  return `${text.slice(0, head)}${mark}${text.slice(text.length - (room - head))}`
    .toWellFormed()
    .slice(0, maxLength)
}

function beginning(text: string, maxLength: number): string {
  const mark = '\n[... the rest is left out ...]'
  if (text.length <= maxLength) return text
  if (maxLength < mark.length) return ''
  return `${text.slice(0, maxLength - mark.length).toWellFormed()}${mark}`
}

interface TurnText {
  readonly turn: number
  readonly text: string
}

interface RecordOfRun {
  /** Latest turns with text, oldest first, without the judged one. */
  readonly turns: readonly TurnText[]
  /** Calls with results, and refusals, oldest first. */
  readonly evidence: readonly RunEvent[]
  readonly omittedEvents: number
  /** Latest verdict of each check; without judges, so none follows another. */
  readonly verdicts: readonly (RunEvent & { readonly type: 'verdict-given' })[]
  /** Unique texts, oldest first. */
  readonly feedback: readonly string[]
  readonly finish: string | undefined
  readonly durationMs: number
}

const maxTurns = 5
/** More would not fit into any budget. */
const maxReplies = 20
const maxEvents = 200

function readRecord(events: readonly RunEvent[], answer: string): RecordOfRun {
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
        if (evidence.length < maxEvents) evidence.push(event)
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

export const ruleFileNames: readonly string[] = ['AGENTS.md', 'SOUL.md', 'CLAUDE.md']

/** Reads rule files; missing ones are skipped. Call it before the agent can write to them. */
export function readProjectRules(
  folder: string,
  names: readonly string[] = ruleFileNames,
): readonly RuleText[] {
  return names.flatMap((name) => {
    try {
      const file = join(folder, name)
      if (!statSync(file).isFile()) return []
      // Slightly more than is shown, to detect truncation.
      const text = readFileSync(file, 'utf8').trim()
      return [{ name, text: text.slice(0, maxRules + 1) }]
    } catch {
      return []
    }
  })
}

/** @returns undefined without a folder, or if unknown */
export async function changesIn(folder: string | null, signal: AbortSignal): Promise<string | undefined> {
  if (folder === null) return undefined
  try {
    return await gitDiffText(folder, signal)
  } catch {
    return undefined
  }
}
