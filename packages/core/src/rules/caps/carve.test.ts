/** The budget of a sub-run, at its boundaries; what chance makes of it is in `random-spending.test.ts`. */
import { describe, expect, it } from 'vitest'
import type { Caps } from '../../budgets/index.ts'
import { begun, checked, failedVerdict, given, noCaps, timePassed } from '../../testing/index.ts'
import {
  modelCalled,
  modelProposed,
  modelReplied,
  subRunEnded,
  subRunStarted,
  tokens,
  toolCall,
  toolCalled,
} from '../../testing/facts.ts'
import { carve } from './reserve.ts'
import { hardCaps } from './hard-caps.ts'

/** A run in the middle of a tool call, after 900 and 100 tokens. */
function calling(caps: Partial<Caps>, choices: Parameters<typeof begun>[0] = {}) {
  return given(
    begun({ caps, ...choices }),
    modelCalled(1),
    modelReplied({ usage: tokens(900, 100), costUsd: 0.0019, toolCalls: [toolCall('a', 'delegate')] }),
    toolCalled('a', 'execute', 'delegate'),
  )
}

const carved = (run: ReturnType<typeof given>, atMost: Partial<Caps> = {}) => {
  const result = carve(run.state, atMost)
  return result.kind === 'carved' ? result.caps : result.cap
}

describe('given a cap, then a child has all but what the parent needs for its next step', () => {
  it.each<[keyof Caps, number, number]>([
    ['maxIterations', 10, 10 - 1 - 1],
    ['maxModelCalls', 10, 10 - 1 - 1],
    ['maxToolCalls', 10, 10 - 1],
    ['maxTokens', 5000, 5000 - 1000 - (1000 + 256)],
  ])('%s', (cap, limit, expected) => {
    expect(carved(calling({ [cap]: limit }))).toEqual({ ...noCaps, [cap]: expected })
    const least = limit - expected
    expect(carved(calling({ [cap]: least + 1 }))).toMatchObject({ [cap]: 1 })
    expect(carve(calling({ [cap]: least }).state)).toMatchObject({ kind: 'too-little' })
  })

  it('cost, at its price', () => {
    const result = carve(calling({ maxCostUsd: 1 }).state)
    const left = result.kind === 'carved' ? result.caps.maxCostUsd : null
    expect(left).toBeCloseTo(1 - 0.0019 - 0.001 - 0.00256, 9)
  })

  it('time, and the last check', () => {
    const run = given(
      begun({ caps: { maxWallClockMs: 1000 }, verifiers: ['npm test'] }),
      checked('baseline', failedVerdict('npm test')),
      timePassed(90),
      modelCalled(1),
      modelProposed('a'),
      toolCalled('a'),
    )
    const { consumption, checkTime, settings } = run.state
    expect(checkTime.maxMs).toBeGreaterThan(0)
    expect(carved(run)).toMatchObject({
      maxWallClockMs: (settings.caps.maxWallClockMs ?? 0) - consumption.activeMs - checkTime.maxMs,
    })
  })
})

describe('given what a child is to have at most', () => {
  it('has no more, and no more than is left', () => {
    expect(carved(calling({ maxIterations: 10 }), { maxIterations: 3, maxTokens: 500 })).toEqual({
      ...noCaps,
      maxIterations: 3,
      maxTokens: 500,
    })
    expect(carved(calling({ maxIterations: 10 }), { maxIterations: 50 })).toMatchObject({ maxIterations: 8 })
  })

  it('shares the caps of single tools, and may have its own', () => {
    const run = calling({ maxCallsPerTool: { delegate: 4, web_search: 2 } })
    const own = { maxCallsPerTool: { web_search: 1, fetch: 9 } }
    expect(carved(run, own)).toMatchObject({ maxCallsPerTool: { delegate: 3, web_search: 1, fetch: 9 } })
  })
})

describe('given children', () => {
  const stopsAt = (run: ReturnType<typeof given>) =>
    hardCaps.flatMap((rule) => {
      const finding = rule(run.state)
      return finding?.level === 'stop' ? [finding.rule] : []
    })

  it('reserves all that is carved while one is open, and gives the rest back', () => {
    const open = calling({ maxToolCalls: 10 }).and(subRunStarted('c', 'a', { maxToolCalls: 9 }))
    expect(stopsAt(open)).toEqual(['cap:tool_calls'])
    expect(carved(open)).toBe('tool_calls')
    const ended = open.and(subRunEnded('c', { toolCalls: 4 }))
    expect(stopsAt(ended)).toEqual([])
    expect(carved(ended)).toMatchObject({ maxToolCalls: 5 })
  })

  it('gives nothing back where nobody knows', () => {
    const lost = calling({ maxToolCalls: 10 }).and(
      subRunStarted('c', 'a', { maxToolCalls: 9 }),
      subRunEnded('c', null),
    )
    expect(stopsAt(lost)).toEqual(['cap:tool_calls'])
  })

  it('takes the end of a child that it does not know for nothing', () => {
    const run = calling({ maxToolCalls: 10 })
    expect(run.and(subRunEnded('stranger', { toolCalls: 9 })).state.consumption.toolCalls).toBe(1)
  })

  it('counts their work, and their time once', () => {
    const run = calling({}).and(
      subRunStarted('c', 'a'),
      timePassed(5000),
      subRunEnded('c', { workingMs: 700, activeMs: 5000 }),
    )
    const before = calling({}).state.consumption
    expect(run.state.consumption.workingMs - before.workingMs).toBe(700 + 10)
    expect(run.state.consumption.activeMs - before.activeMs).toBe(10 + 5000 + 10)
  })
})
