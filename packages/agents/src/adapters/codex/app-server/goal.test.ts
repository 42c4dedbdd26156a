import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { GoalView } from '@donecheck/core/prompts'
import { codexGoal, GoalWatch, meaningOf } from './goal.ts'

const view = (more: Partial<GoalView> = {}): GoalView => ({
  objective: 'The shop takes vouchers.',
  ...{ open: [], leftOut: 0, closed: 0, left: { turns: null, tokens: null } },
  ...more,
})

describe('given our goal', () => {
  it('is told to Codex with its open parts, paused, and says why it is', () => {
    const part = (id: string, isNext: boolean) => ({
      id,
      title: `do ${id}`,
      checks: ['c'],
      isNext,
      isOverBudget: false,
      isClosed: false,
    })
    const told = codexGoal(view({ open: [part('api', true), part('docs', false)], leftOut: 2 }), 0)
    expect(told).toMatchObject({ status: 'paused', tokenBudget: null })
    expect(told['objective']).toContain(
      'The shop takes vouchers.\n\nOpen parts:\n- api: do api (next)\n- docs: do docs\n- and 2 more\n\nThis goal stands as paused',
    )
  })

  it.each([
    ['what is left', 500, 0, 500],
    ['what is left beside what Codex has charged', 500, 70, 570],
    ['at least one, as Codex takes no other', 0, 0, 1],
  ])('has as its budget %s', (_, tokens, used, tokenBudget) => {
    expect(codexGoal(view({ left: { turns: null, tokens } }), used)).toMatchObject({ tokenBudget })
  })

  it('is never longer than Codex takes, and never without the reason of its pause', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 9000, size: 'max' }), (objective) => {
        const { objective: told } = codexGoal(view({ objective }), 0)
        const text = typeof told === 'string' ? told : ''
        expect(Array.from(text).length).toBeLessThanOrEqual(4000)
        expect(text).toMatch(/complete when the checks pass, whatever is said of it\.$/)
      }),
    )
  })
})

describe('given a word of Codex on its goal', () => {
  it.each([
    ['complete', undefined, 'complete when the checks pass'],
    ['blocked', 'blocker', 'three turns in a row'],
    ['paused', 'finding', undefined],
    ['usageLimited', undefined, undefined],
    ['budgetLimited', 'finding', undefined],
  ] as const)('%s is told as %s', (status, signal, answer) => {
    const watch = new GoalWatch()
    watch.see({ status }, true)
    const meaning = meaningOf(watch.word)
    expect(meaning.signal?.kind).toBe(signal)
    if (answer === undefined) expect(meaning.answer).toBeUndefined()
    else expect(meaning.answer).toContain(answer)
  })

  it.each(['active', 'toString', 'never heard of', undefined])('%s is none', (status) => {
    const watch = new GoalWatch()
    watch.see({ status: 'complete' }, true)
    watch.see({ status }, true)
    expect(meaningOf(watch.word)).toEqual({})
  })
})
