/** Generators of what the gate and the hooks tell. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hookEffects, hookPoints, isReportedAtOnce, refusalLabels } from '../../events/gate/index.ts'

const callId = fc.constantFrom('a', 'b', 'c')
const text = fc.string({ maxLength: 40, unit: 'grapheme' })
const gateKind = fc.constantFrom('allow', 'prompt', 'forbidden')

const ruleMatch = fc.record(
  {
    rule: text,
    decision: gateKind,
    source: text,
    words: fc.array(text, { maxLength: 3 }),
    span: fc.option(fc.tuple(fc.nat(50), fc.nat(50))),
    justification: text,
  },
  { requiredKeys: ['rule', 'decision', 'source', 'words', 'span'] },
)

export const gateDecided = fc.record(
  {
    callId,
    decision: gateKind,
    reason: text,
    label: fc.constantFrom(...refusalLabels),
    matches: fc.array(ruleMatch, { maxLength: 2 }),
    shadow: gateKind,
  },
  { requiredKeys: ['callId', 'decision', 'reason', 'matches'] },
)

export const hookRan = fc.record(
  {
    hook: text,
    point: fc.constantFrom(...hookPoints),
    order: fc.integer({ min: 1, max: 9 }),
    effect: fc.constantFrom(...hookEffects),
    callId,
    note: text,
    told: text,
  },
  { requiredKeys: ['hook', 'point', 'order', 'effect'] },
)

describe('given what a hook says to the drive', () => {
  it('only what stands before a reply is told at once', () => {
    expect(hookPoints.filter(isReportedAtOnce)).toEqual(['run_started', 'before_turn'])
  })
})
