import {
  harmless,
  oneLine,
  thousands,
  plural,
  seconds,
  type Line,
  type Tone,
  line,
} from '@donecheck/core/internal/base'
import type { ApprovalQuestion } from '@donecheck/engine/internal/ports/gate'
import type { OpenQuestion, RunningCheck, Screen, Status, Block, CallBlock } from './screen.ts'
import { sliceByColumn, visibleWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui'

const maxPreviewLines = 24
const blank = line('plain', '')

export function liveLines({ queued, checks, questions, nowMs }: Screen, width: number): readonly Line[] {
  const parts = [
    checks.flatMap((check) => checkLines(check, width, nowMs)),
    queued.map((text) =>
      line('quiet', cutLine(`> ${oneLine(text, 400)}  (told before the next step)`, width)),
    ),
    ...questions.slice(0, 1).map((question) => questionLines(question, questions.length, width)),
  ]
  return parts.flatMap((lines) => (lines.length === 0 ? [] : [blank, ...lines]))
}

function checkLines({ name, startedMs, tail }: RunningCheck, width: number, nowMs: number): readonly Line[] {
  const ms = nowMs - startedMs
  const text = cutLine(
    `  • ${oneLine(name, 200)}  is checked${ms >= 1000 ? ` · ${wholeSeconds(ms)}` : ''}`,
    width,
  )
  return [line('plain', text), ...tailOf(tail, width)]
}

interface AnswerKey {
  readonly key: 'y' | 's' | 'r' | 'n' | 'd' | 'e'
  readonly label: string
}

/** Only this command, or all file changes, can be remembered for the session. */
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
        ? wrapLine(line('plain', `  ${harmless(action.script)}`), width)
        : []
  const over = body.length - maxPreviewLines
  const more = count > 1 ? `  (1 of ${count})` : ''
  return [
    ...wrapLine(line('strong', `? ${oneLine(summary, 400)}  (${oneLine(tool, 60)})${more}`), width),
    ...wrapLine(line('quiet', `  ${oneLine(reason, 400)}`), width),
    ...body.slice(0, maxPreviewLines),
    ...(over > 0 ? [line('quiet', `  … ${over} more lines`)] : []),
    ...wrapLine(line(isArmed ? 'plain' : 'quiet', `  ${wayToAnswer(question, isArmed, asksFor)}`), width),
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

/** Fits the status into one line; drops the least important parts first. */
export function statusLine({ status, hint, nowMs, questions }: Screen, width: number): string {
  const parts = statusParts(status, nowMs, questions.length > 0 ? 'asking' : status.word)
  const all = hint === '' ? parts : [{ text: hint, rank: -1 }, ...parts]
  const ranks = all.map(({ rank }) => rank).toSorted((one, other) => other - one)
  for (let kept = all; ;) {
    const joined = kept.map(({ text }) => text).join(' · ')
    const [least] = ranks.splice(0, 1)
    if (joined.length <= width || least === undefined || kept.length === 1) return cutLine(joined, width)
    kept = kept.filter(({ rank }) => rank !== least)
  }
}

function statusParts(status: Status, nowMs: number, word: Status['word']) {
  const { outcome, agent, turn, maxTurns, activeMs, stampMs, tokens, costUsd, lastCheck } = status
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
    ...(agent === '' ? [] : [{ text: oneLine(agent, 40), rank: 6 }]),
  ]
}

/** Half of them from the start, half from the end. */
const maxOpenLines = 200
const maxDiffLines = 400
const tailLines = 2

/** @param before the block above it */
export function blockLines(
  block: Block,
  before: Block | undefined,
  width: number,
  nowMs: number,
): readonly Line[] {
  return [...(hasGap(block, before) ? [blank] : []), ...contentLines(block, width, nowMs)]
}

function hasGap(block: Block, before: Block | undefined): boolean {
  if (before === undefined) return false
  if (block.kind === 'reply') return !block.goesOn
  if (block.kind === 'said' || block.kind === 'diff') return true
  return before.kind === 'said' || before.kind === 'reply' || before.kind === 'diff'
}

function contentLines(block: Block, width: number, nowMs: number): readonly Line[] {
  switch (block.kind) {
    case 'said':
      return saidLines(block.text, width)
    case 'reply':
      return wrapLine(line('plain', block.isOver ? block.text.trimEnd() : block.text), width)
    case 'call':
      return callLines(block, width, nowMs)
    case 'lines':
      return block.lines.flatMap((line) => wrapLine(line, width))
    case 'diff':
      return diffLines(block.text, width)
  }
}

function saidLines(text: string, width: number): readonly Line[] {
  const lines = wrapLine(line('strong', text), width - 2)
  return lines.map(({ text: one }, index) => line('strong', `${index === 0 ? '> ' : '  '}${one}`))
}

function callLines(call: CallBlock, width: number, nowMs: number): readonly Line[] {
  const { end, startedMs, title, output, isOpen } = call
  const tookMs = (end?.endedMs ?? nowMs) - startedMs
  const took = tookMs >= 1000 ? ` · ${end === undefined ? wholeSeconds(tookMs) : seconds(tookMs)}` : ''
  const how = end === undefined ? `runs${took}` : `${endWord(end.status, output)}${took}`
  const mark = end === undefined ? '•' : isOpen ? '▾' : '▸'
  const head = cutLine(`  ${mark} ${title}`, Math.max(8, width - how.length - 2))
  const tone: Tone = end === undefined || end.status === 'ok' ? 'quiet' : 'warning'
  const first = line(tone, cutLine(`${head}  ${how}`, width))
  if (end === undefined) return [first, ...tailOf(output, width)]
  return isOpen ? [first, ...openLines(output, width)] : [first]
}

function endWord(status: string, output: string): string {
  return /\[(exit code \d+)[^\n]*\]\s*$/.exec(output)?.[1] ?? status
}

function wholeSeconds(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1000))
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

export function tailOf(output: string, width: number): readonly Line[] {
  const lines = harmless(output.replaceAll('\r', '\n'))
    .split(/\n+/)
    .filter((line) => line.trim() !== '')
  return lines
    .slice(-tailLines)
    .map((text) => line('quiet', cutLine(`    ${text.replaceAll('\t', '  ')}`, width)))
}

function openLines(output: string, width: number): readonly Line[] {
  const lines = output.trimEnd().split('\n')
  const over = lines.length - maxOpenLines
  const shown =
    over <= 0
      ? lines
      : [
          ...lines.slice(0, maxOpenLines / 2),
          `… ${plural(over, 'line')} left out …`,
          ...lines.slice(-maxOpenLines / 2),
        ]
  return shown.flatMap((text) => wrapLine(line('quiet', `    ${text}`), width))
}

export function diffLines(diff: string, width: number): readonly Line[] {
  const lines = diff.trimEnd().split('\n')
  const over = lines.length - maxDiffLines
  return [
    ...lines.slice(0, maxDiffLines).flatMap((text) => wrapLine(line(toneOfDiff(text), text), width)),
    ...(over > 0 ? [line('warning', `… ${plural(over, 'more line')} of the difference`)] : []),
  ]
}

function toneOfDiff(line: string): Tone {
  if (/^(?:\+\+\+|---|diff|rename|new file|deleted file) ?/.test(line)) return 'strong'
  if (line.startsWith('+')) return 'good'
  if (line.startsWith('-')) return 'bad'
  return line.startsWith('@@') ? 'quiet' : 'plain'
}

export function wrapLine({ tone, text }: Line, width: number): readonly Line[] {
  return text
    .split('\n')
    .flatMap((part) => wrapOne(part.replaceAll('\t', '  '), width).map((one) => line(tone, one)))
}

/** Indents continuation lines as deep as the line starts. */
function wrapOne(line: string, width: number): readonly string[] {
  const text = line.trim()
  const depth = line.length - line.trimStart().length
  // Leaves room for a character of two columns.
  const indent = ' '.repeat(Math.max(0, Math.min(depth, Math.floor(width / 2), width - 2)))
  return wrapTextWithAnsi(text, Math.max(1, width - indent.length)).map((one) => `${indent}${one}`.trimEnd())
}

export function cutLine(text: string, width: number): string {
  if (visibleWidth(text) <= width) return text
  return width < 1 ? '' : `${sliceByColumn(text, 0, width - 1, true)}…`
}
