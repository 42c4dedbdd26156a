import { describe, expect, it } from 'vitest'
import { ago, compact, dollars, duration, percent, whole } from './figures.ts'
import { readTopUp, visiblePieces } from './runs.ts'
import { runItem } from './fixtures/run-item.ts'
import type { RunDetails } from '../data/index.ts'
import { compareRuns } from './changes.ts'
import { sampleRun, sampleTurns } from '@donecheck/core/testing'
import { EventFilter, eventLine } from './run-view.ts'

describe('given a figure', () => {
  it.each([
    [whole(12_345), '12,345'],
    [whole(null), '–'],
    [compact(999), '999'],
    [compact(48_231), '48.2k'],
    [compact(999_999), '1.0M'],
    [compact(123_456_789), '123M'],
    [dollars(0), '$0.00'],
    [dollars(0.0123), '$0.0123'],
    [dollars(12.5), '$12.50'],
    [percent(0.125), '13 %'],
    [duration(340), '340 ms'],
    [duration(8_200), '8.2 s'],
    [duration(247_000), '4:07'],
    [duration(3_847_000), '1:04:07'],
    [ago(0, 3_000), 'now'],
    [ago(0, 59_000), '59 s'],
    [ago(0, 3_599_000), '59 min'],
    [ago(0, 3 * 86_400_000), '3 d'],
    [ago(9_000, 0), 'now'],
  ])('is told as %s', (words, expected) => {
    expect(words).toBe(expected)
  })
})

describe('given a top-up as it is typed', () => {
  it.each([
    ['', undefined],
    ['turns=45', { turns: 45 }],
    ['cost-usd=0.5, tokens=20000', { 'cost-usd': 0.5, tokens: 20_000 }],
  ])('reads "%s"', (typed, topUp) => {
    expect(readTopUp(typed)).toEqual({ kind: 'top-up', topUp })
  })
})

const shown = (text: string) =>
  visiblePieces(text)
    .map((piece) => (piece.isMark ? `[${piece.text}]` : piece.text))
    .join('')

describe('given text that hides something', () => {
  it.each([
    ['an escape sequence', 'a\u001b[2Jb', 'a[␛][2Jb'],
    ['a mark that turns the text around', 'a\u202eb', 'a[U+202E]b'],
    ['a space without width', 'a\u200bb', 'a[U+200B]b'],
    ['letters that only machines read', 'a\u{E0041}b', 'a[U+E0041]b'],
    ['half a character', 'a\ud800b', 'a[U+D800]b'],
    ['a line of Windows', 'a\r\nb', 'a\nb'],
    ['words of another direction', 'שלום', 'שלום'],
    ['an emoji and a tab', '😀\tx', '😀\tx'],
  ])('shows %s', (_, text, expected) => {
    expect(shown(text)).toBe(expected)
  })
})

function details(tokens: number, costUsd: number | null, passed: readonly string[]): RunDetails {
  const spent = { durationMs: 0, tokens, isEstimated: false, costUsd, checksCostUsd: 0, caps: [] }
  return {
    run: runItem({ turns: 3, tokens, costUsd }),
    explanation: {
      ...{ runId: 'a', kind: 'run', task: '', by: 'a model', end: null, turns: 3, spent, passed },
      ...{ missing: [], openParts: [], next: [] },
    },
  }
}

describe('given two runs', () => {
  const rows = new Map(
    compareRuns(details(1_000, null, ['npm test']), details(750, 0.5, ['npm test', 'lint'])).map((row) => [
      row.name,
      row,
    ]),
  )

  it('says by how much they differ, and which is better', () => {
    expect(rows.get('Tokens')).toMatchObject({ a: '1.0k', b: '750', difference: '−25 %', isBetter: true })
    expect(rows.get('Checks passed')).toMatchObject({ difference: '+100 %', isBetter: true })
    expect(rows.get('Turns')).toMatchObject({ difference: '=', isBetter: undefined })
  })
})

describe('given an event of every kind', () => {
  it('is told in one line of bounded length', () => {
    for (const event of sampleRun()) {
      const { text } = eventLine(event)
      expect(text).not.toMatch(/\n/)
      expect(text.length).toBeLessThanOrEqual(300)
    }
  })
})

describe('given a filter over a growing list', () => {
  it('finds by type and by words, each event once', () => {
    const events = [...sampleTurns(3)]
    const filter = new EventFilter('REPLY 2')
    expect(filter.in(events.slice(0, 4))).toEqual([])
    expect(filter.in(events)).toEqual([5])
    expect(new EventFilter('model-replied').in(events)).toHaveLength(3)
    expect(new EventFilter('').in(events)).toBe('all')
  })
})
