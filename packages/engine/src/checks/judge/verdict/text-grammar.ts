/** Reasoning, quotes, and a verdict in the end, as lines of text. What may be read in two ways is no verdict. */
import type { JudgeQuote } from '@donecheck/core/verdicts'
import { malformedVerdict, type JudgeVerdict } from './judge-verdict.ts'
import { given } from '../../../base/index.ts'

interface Line {
  /** Without marks of quoting, lists and bold type. */
  readonly text: string
  /** It stands in a quote or in a fence: somebody else's words. */
  readonly isQuoted: boolean
}

type VerdictWord =
  | { readonly kind: 'pass' }
  | { readonly kind: 'fail'; readonly category: string | undefined; readonly rest: string }
  | { readonly kind: 'abstain'; readonly rest: string }

/** A pass is taken in capitals alone; a failure however it is written, because it can only make a verdict stricter. */
const passLine = /^(?:(?:[Vv]erdict|VERDICT)\s*[:=]\s*)?PASS[.!]?$/u
const loosePass = /^(?:verdict\s*[:=]\s*)?pass(?:ed)?\s*[.!:]?$/iu
const failLine = /^(?:verdict\s*[:=]\s*)?fail(?:ed)?(?:\s*\[([^\]\n]*)\])?\s*(?:$|[:.!–—-]\s*(.*)$)/iu
const abstainLine = /^(?:verdict\s*[:=]\s*)?abstain(?:ed)?\s*(?:$|[:.!–—-]\s*(.*)$)/iu
const quoteLine = /^QUOTE(?:\s*\[([^\]\n]*)\])?\s*:\s*(.+)$/u
const scoreLine = /^SCORE\s*:\s*(\d(?:\.\d+)?)$/u

export function parseText(text: string, categories: readonly string[]): JudgeVerdict {
  const lines = linesOf(text)
  const found = lines.flatMap((line, index) => {
    const word = verdictOf(line.text)
    return word === undefined ? [] : [{ word, index, isQuoted: line.isQuoted }]
  })
  const [first, second] = found
  if (first === undefined)
    return malformedVerdict(
      lines.some((line) => loosePass.test(line.text))
        ? 'its pass is not written as PASS'
        : 'it holds no verdict',
    )
  if (second !== undefined) return malformedVerdict('it holds more than one verdict')
  if (first.isQuoted) return malformedVerdict('its verdict stands in a quote')
  const before = lines.slice(0, first.index)
  const after = lines.slice(first.index + 1).map((line) => line.text)
  const quotes = before.flatMap(({ text: words }) => quoteOf(words) ?? [])
  const score = before.map(({ text: words }) => scoreLine.exec(words)?.[1]).find(Boolean)
  const scored = score === undefined ? {} : { score: Number(score) }
  if (Number(score ?? 0) > 1) return malformedVerdict(`its score ${score ?? ''} is above 1`)
  const { word } = first
  if (word.kind === 'abstain') return { kind: 'abstained', reason: joined([word.rest, ...after]), quotes }
  if (word.kind === 'fail') {
    const { category } = word
    if (category !== undefined && !categories.includes(category))
      return malformedVerdict(`it names the unknown category "${category}"`)
    const reason = joined([word.rest, ...after])
    return { kind: 'not-met', reason, quotes, ...scored, ...given({ category }) }
  }
  if (after.some((words) => words !== '')) return malformedVerdict('it goes on after its pass')
  return { kind: 'met', reason: reasonOf(before), quotes, ...scored }
}

function linesOf(text: string): readonly Line[] {
  let isFenced = false
  return text.split('\n').map((raw) => {
    const isMark = /^\s*(?:>\s*)*(?:```|~~~)/u.test(raw)
    if (isMark) isFenced = !isFenced
    return { text: bare(raw), isQuoted: isFenced || isMark || /^\s*(?:>|["'“‘`])/u.test(raw) }
  })
}

function bare(raw: string): string {
  return raw
    .replace(/^[\s>#*_"'“‘`-]+/u, '')
    .replace(/[\s*_"'”’`]+$/u, '')
    .replace(/\*\*|__/gu, '')
    .trim()
}

function verdictOf(line: string): VerdictWord | undefined {
  if (passLine.test(line)) return { kind: 'pass' }
  const abstained = abstainLine.exec(line)
  if (abstained !== null) return { kind: 'abstain', rest: abstained[1] ?? '' }
  const failed = failLine.exec(line)
  if (failed === null) return undefined
  const category = failed[1]?.trim()
  return { kind: 'fail', category: category === '' ? undefined : category, rest: failed[2] ?? '' }
}

function quoteOf(line: string): JudgeQuote | undefined {
  const [, source = '', words = ''] = quoteLine.exec(line) ?? []
  const text = words.replace(/^["“”']+|["“”']+$/gu, '').trim()
  if (text === '') return undefined
  return { text, ...(source.trim() === '' ? {} : { source: source.trim() }) }
}

function reasonOf(before: readonly Line[]): string {
  return joined(
    before.map(({ text }) => text).filter((text) => !quoteLine.test(text) && !scoreLine.test(text)),
  )
}

function joined(lines: readonly string[]): string {
  return lines.join('\n').trim()
}
