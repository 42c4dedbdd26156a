import { amounts, typedName } from '@donecheck/core/internal/budgets'
import type { RunItem, RunsQuery } from '../data/index.ts'
import { clock } from './figures.ts'

export type Tone = 'good' | 'bad' | 'warn' | 'live' | 'quiet'

const tones: Readonly<Record<string, Tone>> = {
  verified: 'good',
  failed: 'bad',
  error: 'bad',
  exhausted: 'warn',
  blocked: 'warn',
  interrupted: 'quiet',
  unverified: 'quiet',
}

export function toneOfOutcome(outcome: string | null): Tone {
  return outcome === null ? 'live' : (tones[outcome] ?? 'quiet')
}

export function isOpen({ outcome }: Pick<RunItem, 'outcome'>): boolean {
  return outcome === null
}

export function reasonWords({
  reason,
  cap,
  detector,
  waiting,
}: Pick<RunItem, 'reason' | 'cap' | 'detector' | 'waiting'>): string {
  if (reason === null && waiting !== null) return waitWords(waiting)
  return [reason, cap, detector].filter((word) => typeof word === 'string').join(' · ')
}

function waitWords({ for: awaited, untilMs }: NonNullable<RunItem['waiting']>): string {
  const [until, now] = [clock(untilMs).slice(0, -3), clock(Date.now())]
  const isToday = until.slice(0, 10) === now.slice(0, 10)
  return `${awaited === 'limit' ? 'usage limit' : 'provider'} until ${isToday ? until.slice(11) : until}`
}

function belongs(run: RunItem, { text, outcome, reason, tag, open }: Omit<RunsQuery, 'cursor'>): boolean {
  return (
    run.task.toLowerCase().includes(text.toLowerCase()) &&
    (outcome === '' || run.outcome === outcome) &&
    (reason === '' || run.reason === reason) &&
    (tag === '' || run.tags.includes(tag)) &&
    (!open || isOpen(run))
  )
}

export function putRun(runs: readonly RunItem[], run: RunItem, query: RunsQuery): readonly RunItem[] {
  const others = runs.filter(({ runId }) => runId !== run.runId)
  if (!belongs(run, query)) return others.length === runs.length ? runs : others
  const place = others.findIndex(({ startedAtMs }) => startedAtMs <= run.startedAtMs)
  return place === -1 ? [...others, run] : others.toSpliced(place, 0, run)
}

interface Piece {
  readonly text: string
  readonly isMark: boolean
}

/** C0 without tab and line feed, DEL, C1, and invisible, directional and unpaired characters. */
const unseen =
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|[\u{E0000}-\u{E01EF}]|\p{Cs}/gu

export function visiblePieces(text: string): readonly Piece[] {
  const pieces: Piece[] = []
  let end = 0
  const whole = text.replaceAll('\r\n', '\n')
  for (const { 0: character, index } of whole.matchAll(unseen)) {
    if (index > end) pieces.push({ text: whole.slice(end, index), isMark: false })
    pieces.push({ text: markOf(character), isMark: true })
    end = index + character.length
  }
  if (end < whole.length) pieces.push({ text: whole.slice(end), isMark: false })
  return pieces
}

function markOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  return code < 0x20
    ? String.fromCodePoint(0x2400 + code)
    : `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

type TypedTopUp =
  | { readonly kind: 'top-up'; readonly topUp: Readonly<Record<string, number>> | undefined }
  | { readonly kind: 'unreadable'; readonly message: string }

export function readTopUp(typed: string): TypedTopUp {
  const words = typed.split(/[\s,]+/).filter((word) => word !== '')
  const entries: [string, number][] = []
  for (const word of words) {
    const [name = '', amount = ''] = word.split('=')
    const value = Number(amount)
    if (!amounts.some((one) => typedName(one) === name) || amount === '' || !(value > 0))
      return {
        kind: 'unreadable',
        message: `"${word}" is no top-up: type one such as turns=45 or cost-usd=1.`,
      }
    entries.push([name, value])
  }
  return { kind: 'top-up', topUp: entries.length === 0 ? undefined : Object.fromEntries(entries) }
}
