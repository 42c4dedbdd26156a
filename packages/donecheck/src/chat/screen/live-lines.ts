/** What stands below the transcript and changes: waiting words, running checks, a question, the status line. */
import { harmless, oneLine, thousands } from '@donecheck/core/base'
import type { ApprovalQuestion } from '@donecheck/engine/ports/gate'
import type { Line } from '@donecheck/engine/report'
import { diffLines, tailOf, wholeSeconds } from './block-lines.ts'
import { type OpenQuestion, type RunningCheck, type Screen, type Status } from './screen.ts'
import { cutLine, wrapLine } from './wrap.ts'

const maxPreviewLines = 24
const blank: Line = { tone: 'plain', text: '' }

export function liveLines({ queued, checks, questions, nowMs }: Screen, width: number): readonly Line[] {
  const parts = [
    checks.flatMap((check) => checkLines(check, width, nowMs)),
    queued.map((text): Line => ({
      tone: 'quiet',
      text: cutLine(`> ${oneLine(text, 400)}  (told before the next step)`, width),
    })),
    ...questions.slice(0, 1).map((question) => questionLines(question, questions.length, width)),
  ]
  return parts.flatMap((lines) => (lines.length === 0 ? [] : [blank, ...lines]))
}

function checkLines({ name, startedMs, tail }: RunningCheck, width: number, nowMs: number): readonly Line[] {
  const ms = nowMs - startedMs
  const line = cutLine(
    `  • ${oneLine(name, 200)}  is checked${ms >= 1000 ? ` · ${wholeSeconds(ms)}` : ''}`,
    width,
  )
  return [{ tone: 'plain', text: line }, ...tailOf(tail, width)]
}

/** What may be answered to a question, by the key that says so; the order is that on the screen. */
export interface AnswerKey {
  readonly key: 'y' | 's' | 'r' | 'n' | 'd' | 'e'
  readonly label: string
}

/** What is remembered for the session is this command, or that files are changed; nothing else is. */
export function answerKeys({ action, amendment }: ApprovalQuestion): readonly AnswerKey[] {
  const isCommand = action?.kind === 'command'
  const rule = amendment === undefined ? '' : oneLine(amendment.prefix.join(' '), 40)
  const session = isCommand ? 'yes, again in this session' : 'yes, and all changes of files in this session'
  return [
    { key: 'y', label: 'yes, once' },
    ...(action === undefined ? [] : [{ key: 's' as const, label: session }]),
    ...(rule === '' ? [] : [{ key: 'r' as const, label: `yes, always: ${rule}` }]),
    { key: 'n', label: 'no, with a reason' },
    ...(isCommand
      ? [
          { key: 'd' as const, label: 'no, and never again' },
          { key: 'e' as const, label: 'edit' },
        ]
      : []),
  ]
}

export function questionLines(
  { question, isArmed, asksFor }: OpenQuestion,
  count: number,
  width: number,
): readonly Line[] {
  const { summary, tool, reason, preview, action } = question
  const body =
    preview !== undefined
      ? diffLines(harmless(preview), width)
      : action?.kind === 'command' && !summary.includes(action.script)
        ? wrapLine({ tone: 'plain', text: `  ${harmless(action.script)}` }, width)
        : []
  const over = body.length - maxPreviewLines
  const more = count > 1 ? `  (1 of ${count})` : ''
  return [
    ...wrapLine({ tone: 'strong', text: `? ${oneLine(summary, 400)}  (${oneLine(tool, 60)})${more}` }, width),
    ...wrapLine({ tone: 'quiet', text: `  ${oneLine(reason, 400)}` }, width),
    ...body.slice(0, maxPreviewLines),
    ...(over > 0 ? [{ tone: 'quiet' as const, text: `  … ${over} more lines` }] : []),
    ...wrapLine(
      { tone: isArmed ? 'plain' : 'quiet', text: `  ${wayToAnswer(question, isArmed, asksFor)}` },
      width,
    ),
  ]
}

function wayToAnswer(question: ApprovalQuestion, isArmed: boolean, asksFor: OpenQuestion['asksFor']): string {
  if (asksFor === 'reason')
    return 'Why not? The agent is told. Enter alone gives no reason, Escape goes back.'
  if (asksFor === 'edit')
    return 'Change it in the line: the agent is told to do that instead. Escape goes back.'
  if (!isArmed) return '…'
  return answerKeys(question)
    .map(({ key, label }) => `[${key}] ${label}`)
    .join('   ')
}

/** One line that says how it stands; what there is no room for is left out, the least needed first. */
export function statusLine({ status, hint, nowMs, questions }: Screen, width: number): string {
  const parts = statusParts(status, nowMs, questions.length > 0 ? 'asking' : status.word)
  const all = hint === '' ? parts : [{ text: hint, rank: -1 }, ...parts]
  const ranks = all.map(({ rank }) => rank).toSorted((one, other) => other - one)
  for (let kept = all; ;) {
    const line = kept.map(({ text }) => text).join(' · ')
    const [least] = ranks.splice(0, 1)
    if (line.length <= width || least === undefined || kept.length === 1) return cutLine(line, width)
    kept = kept.filter(({ rank }) => rank !== least)
  }
}

interface StatusPart {
  readonly text: string
  /** The highest is left out first. */
  readonly rank: number
}

function statusParts(status: Status, nowMs: number, word: Status['word']): readonly StatusPart[] {
  const { outcome, drive, turn, maxTurns, activeMs, stampMs, tokens, costUsd, lastCheck } = status
  const ms = activeMs + (word === 'ready' ? 0 : Math.max(0, nowMs - stampMs))
  const check =
    lastCheck === undefined ? '' : `${lastCheck.passed ? '✓' : '✗'} ${oneLine(lastCheck.name, 30)}`
  const begun = turn > 0 || word !== 'ready'
  return [
    { text: word === 'ready' && outcome !== '' ? outcome : word, rank: 0 },
    ...(begun ? [{ text: `turn ${turn}${maxTurns === null ? '' : `/${maxTurns}`}`, rank: 2 }] : []),
    ...(begun ? [{ text: wholeSeconds(ms), rank: 3 }] : []),
    ...(tokens === null || !begun ? [] : [{ text: `${thousands(tokens)} tokens`, rank: 4 }]),
    ...(costUsd === null || costUsd === 0 ? [] : [{ text: `$${costUsd.toFixed(4)}`, rank: 5 }]),
    ...(check === '' ? [] : [{ text: check, rank: 1 }]),
    ...(drive === '' ? [] : [{ text: oneLine(drive, 40), rank: 6 }]),
  ]
}
