import { describe, expect, it } from 'vitest'
import type { RunDetails } from '../data/index.ts'
import { compareRuns } from './differences.ts'
import { sparkOf } from './spark.ts'

function details(tokens: number | null, costUsd: number | null, passed: readonly string[]): RunDetails {
  const run = {
    runId: 'a',
    task: '',
    startedAtMs: 0,
    updatedAtMs: 0,
    events: 9,
    workFolder: null,
    labels: [],
    failing: [],
  }
  const explanation = { by: 'a model', end: null, missing: [], openParts: [], passed: [...passed], next: [] }
  return { run: { ...run, turns: 3, tokens, costUsd, activeMs: 0 }, explanation }
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

  it('says nothing of what nobody knows', () => {
    expect(rows.get('Cost')).toMatchObject({ a: '–', b: '$0.50', difference: '–', isBetter: undefined })
    expect(rows.get('Active time')).toMatchObject({ difference: '=' })
  })
})

describe('given readings', () => {
  it('draws a line that ends at the last one', () => {
    expect(sparkOf([4, 2, 0], 40, 10)).toEqual({ path: 'M0 0L20 5L40 10', x: 40, y: 10 })
    expect(sparkOf([0], 40, 10)).toEqual({ path: 'M40 10', x: 40, y: 10 })
    expect(sparkOf([], 40, 10)).toBeUndefined()
  })
})
