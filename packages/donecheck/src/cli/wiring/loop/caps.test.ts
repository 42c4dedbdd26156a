import { describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'
import { hardCapOf, topUpOf, topUpOfFlags } from '../judging/judging-options.ts'

describe('given caps of the configuration', () => {
  it('leaves out what is not named, and switches off what is null', () => {
    expect(hardCapOf({})).toEqual({})
    expect(hardCapOf({ maxTokens: 'off', maxSeconds: 1.5, maxToolCallsOf: { a: 1 } })).toEqual({
      tokens: null,
      wallClockMs: 1500,
      callsPerTool: { a: 1 },
    })
  })
})

describe('given --top-up', () => {
  it('adds up what is said several times, and names the flag where a value is none', () => {
    expect(topUpOfFlags(['turns=10', 'tokens=50000'])).toEqual({ iterations: 10, tokens: 50_000 })
    expect(() => topUpOfFlags(['turns=10', 'nonsense'])).toThrow(UsageError)
    expect(() => topUpOfFlags(['nonsense'])).toThrow(
      "option '--top-up <amounts>' argument 'nonsense' is invalid.",
    )
  })

  it('takes the names of the caps, with their units', () => {
    expect(topUpOf('turns=10, tokens=50000,cost-usd=0.5,seconds=60')).toEqual({
      iterations: 10,
      tokens: 50_000,
      costUsd: 0.5,
      wallClockMs: 60_000,
    })
    expect(topUpOf('tool-calls-of:web_search=10,iterations=1')).toEqual({
      iterations: 1,
      callsPerTool: { web_search: 10 },
    })
  })

  it.each([
    ['turn=1', /did you mean "turns"/],
    ['gold=1', /known names: turns, /],
    ['turns', /not of the form name=amount/],
    ['turns=1.5', /not a whole number/],
    ['seconds=0', /not a positive number/],
  ])('refuses %s', (text, message) => {
    expect(() => topUpOf(text)).toThrow(message)
  })
})
