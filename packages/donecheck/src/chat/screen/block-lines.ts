/** A piece of the transcript as lines of a given width. */
import { harmless, plural, seconds } from '@donecheck/core/base'
import type { Line, Tone } from '@donecheck/engine/report'
import type { Block, CallBlock } from './screen.ts'
import { cutLine, wrapLine } from './wrap.ts'

/** Of an opened call at most so many lines, half of them from its end. */
const maxOpenLines = 200
const maxDiffLines = 400
const tailLines = 2

/** @param before what stands above it; undefined: nothing */
export function blockLines(
  block: Block,
  before: Block | undefined,
  width: number,
  nowMs: number,
): readonly Line[] {
  return [...(hasGap(block, before) ? [blank] : []), ...contentLines(block, width, nowMs)]
}

const blank: Line = { tone: 'plain', text: '' }

/** What belongs together stands together: calls and what the loop says of them. */
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
      return wrapLine({ tone: 'plain', text: block.isOver ? block.text.trimEnd() : block.text }, width)
    case 'call':
      return callLines(block, width, nowMs)
    case 'lines':
      return block.lines.flatMap((line) => wrapLine(line, width))
    case 'diff':
      return diffLines(block.text, width)
  }
}

function saidLines(text: string, width: number): readonly Line[] {
  const lines = wrapLine({ tone: 'strong', text }, width - 2)
  return lines.map(({ text: one }, index) => ({ tone: 'strong', text: `${index === 0 ? '> ' : '  '}${one}` }))
}

/** One line, with how it ended at its right end; below it what it prints while it runs, or all of it where it is opened. */
function callLines(call: CallBlock, width: number, nowMs: number): readonly Line[] {
  const { end, startedMs, title, output, isOpen } = call
  const tookMs = (end?.endedMs ?? nowMs) - startedMs
  const took = tookMs >= 1000 ? ` · ${end === undefined ? wholeSeconds(tookMs) : seconds(tookMs)}` : ''
  const how = end === undefined ? `runs${took}` : `${endWord(end.status, output)}${took}`
  const mark = end === undefined ? '•' : isOpen ? '▾' : '▸'
  const head = cutLine(`  ${mark} ${title}`, Math.max(8, width - how.length - 2))
  const tone: Tone = end === undefined || end.status === 'ok' ? 'quiet' : 'warning'
  const line = { tone, text: cutLine(`${head}  ${how}`, width) }
  if (end === undefined) return [line, ...tailOf(output, width)]
  return isOpen ? [line, ...openLines(output, width)] : [line]
}

/** Such as `exit code 1`, as the shell tool says it itself. */
function endWord(status: string, output: string): string {
  return /\[(exit code \d+)[^\n]*\]\s*$/.exec(output)?.[1] ?? status
}

/** Without a fraction: it is written anew every second. */
export function wholeSeconds(ms: number): string {
  const whole = Math.max(0, Math.floor(ms / 1000))
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}

/** The last lines of what is printed, as it came, cut to the width. */
export function tailOf(output: string, width: number): readonly Line[] {
  const lines = harmless(output.replaceAll('\r', '\n'))
    .split(/\n+/)
    .filter((line) => line.trim() !== '')
  return lines
    .slice(-tailLines)
    .map((text) => ({ tone: 'quiet', text: cutLine(`    ${text.replaceAll('\t', '  ')}`, width) }))
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
  return shown.flatMap((text) => wrapLine({ tone: 'quiet', text: `    ${text}` }, width))
}

export function diffLines(diff: string, width: number): readonly Line[] {
  const lines = diff.trimEnd().split('\n')
  const over = lines.length - maxDiffLines
  return [
    ...lines.slice(0, maxDiffLines).flatMap((text) => wrapLine({ tone: toneOfDiff(text), text }, width)),
    ...(over > 0
      ? [{ tone: 'warning' as const, text: `… ${plural(over, 'more line')} of the difference` }]
      : []),
  ]
}

function toneOfDiff(line: string): Tone {
  if (/^(?:\+\+\+|---|diff|rename|new file|deleted file) ?/.test(line)) return 'strong'
  if (line.startsWith('+')) return 'good'
  if (line.startsWith('-')) return 'bad'
  return line.startsWith('@@') ? 'quiet' : 'plain'
}
