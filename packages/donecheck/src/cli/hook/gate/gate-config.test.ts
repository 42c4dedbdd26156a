import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../../config/index.ts'
import type { JsonValue } from '@donecheck/core/internal/events'
import { gateConfigOf, hasRules } from './hook-gate.ts'
import { NeedsMore } from '../request.ts'

type Json = Readonly<Record<string, JsonValue>>

const pinned: readonly Json[] = [
  {},
  { until: [{ command: 'npm test' }], keptRules: {}, keptProjectRules: {} },
  { approval: 'never', gate: 'shadow', writable: ['/x'], tamperGuard: false },
  { rules: ['a.rules'], keptRules: { '/p/a.rules': 'prefix_rule(pattern=["npm"], decision="forbidden")\n' } },
  { commandRules: [{ pattern: ['npm'], decision: 'prompt' }], projectRules: 'trusted' },
  { projectCommandRules: [{ nothing: 1 }], projectRules: 'off' },
]

describe('given a configuration as it was pinned', () => {
  it.each(pinned)('%j is taken as the schema reads it', (config) => {
    expect(parseConfig(config, 'session.json')).toMatchObject(config)
    expect(gateConfigOf(config)).toEqual(config)
  })

  it.each<Json>([
    { approval: 'sometimes' },
    { keptRules: { a: 1 } },
    { keptRules: ['a'] },
    { keptProjectRules: null },
    { rules: 'a.rules' },
    { rules: [1] },
    { commandRules: {} },
    { projectRules: 'maybe' },
    { until: ['npm test'] },
    { tamperGuard: 'no' },
  ])('%j is left to the schema', (config) => {
    expect(() => gateConfigOf(config)).toThrow(NeedsMore)
  })
})

describe('given rules', () => {
  it('none are pinned: nothing is read for them', () => {
    expect(hasRules({})).toBe(false)
    expect(hasRules({ keptRules: {}, keptProjectRules: {}, commandRules: [], projectRules: 'tighten' })).toBe(
      false,
    )
  })

  it.each([
    { keptRules: { a: '' } },
    { keptProjectRules: { a: '' } },
    { rules: ['a'] },
    { commandRules: [{}] },
    { projectCommandRules: [{}] },
  ])('%j are read', (config) => {
    expect(hasRules(config)).toBe(true)
  })
})
