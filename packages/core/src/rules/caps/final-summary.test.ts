/** What is kept for the one call after the end was decided. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { estimateTokens, type Caps } from '../../budgets/index.ts'
import type { RunState } from '../../state/index.ts'
import { begun, given, standardJudgement } from '../../testing/index.ts'
import { modelCalled, modelReplied, tokens, turnEnded } from '../../testing/facts.ts'
import { decide } from '../../decide/index.ts'
import { affordableFinalSummaryTokens } from './reserve.ts'
import { hardCaps } from './hard-caps.ts'

/** A run after one turn whose next prompt is expected to have 1000 tokens. */
function once(caps: Partial<Caps>, inputTokens = 900, outputTokens = 100) {
  return given(
    begun({ caps, finalSummary: true, finalSummaryTokens: 500 }),
    modelCalled(1),
    modelReplied({ usage: tokens(inputTokens, outputTokens), costUsd: 0.0019 }),
    turnEnded(1),
  )
}

const stops = (state: RunState) => hardCaps.some((rule) => rule(state)?.level === 'stop')

describe('given a run with a final summary', () => {
  it('keeps one model call for it', () => {
    expect(stops(once({ maxModelCalls: 3 }).state)).toBe(false)
    expect(stops(once({ maxModelCalls: 2 }).state)).toBe(true)
  })

  it('keeps a prompt, in which the next reply stands too, and its own reply', () => {
    const least = 1000 + 1000 + 256 + (1000 + 256 + 256) + 500
    expect(stops(once({ maxTokens: least }).state)).toBe(false)
    expect(stops(once({ maxTokens: least - 1 }).state)).toBe(true)
  })

  it('keeps its price', () => {
    const nextUsd = ((1000 + 1512) * 1 + (256 + 500) * 10) / 1_000_000
    expect(stops(once({ maxCostUsd: 0.0019 + nextUsd + 1e-9 }).state)).toBe(false)
    expect(stops(once({ maxCostUsd: 0.0019 + nextUsd - 1e-9 }).state)).toBe(true)
  })

  it('keeps nothing before there is anything to summarise: the first call is made', () => {
    given(begun({ caps: { maxModelCalls: 1, maxTokens: 1200 }, finalSummary: true }))
      .afterNotes()
      .whenDecided()
      .then({ kind: 'call-model' })
  })

  it('gives the final summary what is left, its bound at most', () => {
    expect(affordableFinalSummaryTokens(once({}).state, '')).toBe(500)
    expect(affordableFinalSummaryTokens(once({ maxTokens: 2400 }).state, '')).toBe(400)
  })

  it.each<[string, Partial<Caps>]>([
    ['model calls', { maxModelCalls: 1 }],
    ['tokens', { maxTokens: 2255 }],
    ['cost', { maxCostUsd: 0.003 }],
  ])('leaves it out where it does not fit: %s', (_, caps) => {
    expect(affordableFinalSummaryTokens(once(caps).state, '')).toBeUndefined()
  })
})

const notice = 'x'.repeat(800)

describe('given any caps, a step that used all that it was given, and no tools', () => {
  const maybe = (max: number) => fc.option(fc.nat({ max }))
  const caps = fc.record({
    maxModelCalls: maybe(6),
    maxTokens: maybe(30_000),
    maxCostUsd: fc.option(fc.double({ min: 0, max: 0.1, noNaN: true })),
  })

  it('the final summary still fits, and within all of them', () => {
    fc.assert(
      fc.property(caps, fc.nat({ max: 5000 }), fc.nat({ max: 2000 }), (bounds, input, output) => {
        const before = once(bounds, input, output).afterNotes()
        const decision = decide(before.state, standardJudgement)
        if (decision.kind !== 'call-model') return
        const usage = tokens(input + output, decision.maxOutputTokens)
        const costUsd = (usage.inputTokens + usage.outputTokens * 10) / 1_000_000
        const after = before.and(modelCalled(2), modelReplied({ usage, costUsd }), turnEnded(2))
        const bound = affordableFinalSummaryTokens(after.state, notice)
        expect(bound).toBe(500)
        const prompt = usage.inputTokens + usage.outputTokens + estimateTokens(notice)
        const { inputTokens, outputTokens, costUsd: usedUsd, modelCalls } = after.state.consumption
        expect(inputTokens + outputTokens + prompt + 500).toBeLessThanOrEqual(bounds.maxTokens ?? Infinity)
        expect((usedUsd ?? 0) + (prompt + 5000) / 1_000_000).toBeLessThanOrEqual(
          (bounds.maxCostUsd ?? Infinity) + 1e-9,
        )
        expect(modelCalls + 1).toBeLessThanOrEqual(bounds.maxModelCalls ?? Infinity)
      }),
    )
  })
})
