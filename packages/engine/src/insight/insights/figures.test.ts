import { describe, expect, it } from 'vitest'
import { figuresOf, weekOf } from './figures.ts'
import type { RunRow } from './row.ts'

const blank: RunRow = {
  ...{
    version: 2,
    runId: 'run-1',
    task: '',
    startedAtMs: 0,
    updatedAtMs: 0,
    model: 'a/one',
    agent: 'donecheck',
  },
  ...{ project: null, aggregate: 'deterministicVeto', tags: [], isPart: false, reason: null, outcome: null },
  ...{ cap: null, detector: null, turns: 0, modelCalls: 0, toolCalls: 0 },
  messages: { user: 0, assistant: 0, tool: 0 },
  ...{ inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0, costUsd: 0, activeMs: 0 },
  ...{ checksCostUsd: 0, claims: 0, falseClaims: 0, isFirstTry: null, roundsToGreen: null },
  ...{ checks: [], findings: [], tools: [], overrides: 0, waivers: 0, failing: [] },
}

function figures(...rows: readonly Partial<RunRow>[]) {
  return figuresOf(rows.map((row) => ({ ...blank, ...row })))
}

describe('given days', () => {
  it.each([
    ['2026-11-14', '2026-W46'],
    ['2026-01-01', '2026-W01'],
    ['2027-01-03', '2026-W53'],
    ['2027-01-04', '2027-W01'],
    ['2024-12-30', '2025-W01'],
    ['2023-01-01', '2022-W52'],
    ['1970-01-01', '1970-W01'],
    ['1969-12-31', '1970-W01'],
  ])('%s is in week %s', (text, week) => {
    expect(weekOf(Date.parse(`${text}T12:34:56Z`))).toBe(week)
  })
})

describe('given what runs have cost', () => {
  it('a verified run costs all that was spent, on those that failed and on checks too', () => {
    const told = figures(
      { outcome: 'verified', costUsd: 1, checksCostUsd: 0.5 },
      { outcome: 'failed', costUsd: 2.5 },
    )
    expect(told.cost).toEqual({ usd: 3.5, knownRuns: 2, perVerifiedUsd: 4 })
  })

  it('a run of unknown price tells nothing of the price, also where it was verified', () => {
    const told = figures(
      { outcome: 'verified', costUsd: 1 },
      { outcome: 'verified', costUsd: null, checksCostUsd: 9 },
    )
    expect(told.cost).toEqual({ usd: 1, knownRuns: 1, perVerifiedUsd: 1 })
    expect(figures({ costUsd: null }).cost).toEqual({ usd: 0, knownRuns: 0, perVerifiedUsd: null })
  })
})

describe('given rounds to green', () => {
  it('those that never got there are left out, and the median is the lower of two', () => {
    const told = figures(
      { roundsToGreen: 4 },
      { roundsToGreen: 1 },
      {},
      { roundsToGreen: 2 },
      { roundsToGreen: 10 },
    )
    expect(told.roundsToGreen).toEqual({ runs: 4, median: 2, mean: 17 / 4 })
    expect(figures({}).roundsToGreen).toEqual({ runs: 0, median: null, mean: null })
  })
})

describe('given detectors', () => {
  it('a run that is not over says nothing of how they end', () => {
    const findings = [{ name: 'ping_pong', count: 3 }]
    const told = figures({ findings, outcome: 'verified' }, { findings, outcome: 'exhausted' }, { findings })
    expect(told.findings).toMatchObject([
      { name: 'ping_pong', findings: 9, runs: 3, verified: { part: 1, whole: 2, share: 0.5 } },
    ])
  })
})
