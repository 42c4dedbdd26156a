import { noCaps } from '@donecheck/core/testing'
import type { Caps } from '@donecheck/core/internal/budgets'
import { describe, expect, it } from 'vitest'
import { madeRun, madeTurn } from '../../testing/index.ts'
import { stepsOf, type RecordedTurn } from '../recordings/index.ts'
import { replay } from './replay.ts'
import { capWatch } from './watches.ts'

function stopOf(caps: Partial<Caps>, turns: readonly RecordedTurn[]) {
  const watcher = { name: 'caps', begin: () => capWatch({ ...noCaps, ...caps }) }
  return replay(watcher, stepsOf(madeRun([], { turns: [...turns] }))).stop
}

const turn = (rest: Partial<RecordedTurn> = {}) => madeTurn(['bash ls x', 'bash cat y'], rest)
const three = [turn(), turn(), turn()]

describe('given three turns of two calls', () => {
  it.each([
    [{ maxIterations: 3 }, undefined],
    [{ maxIterations: 2 }, { rule: 'cap:iterations', callsRun: 4, turn: 1 }],
    [{ maxModelCalls: 2 }, { rule: 'cap:model_calls', callsRun: 4, turn: 1 }],
    [{ maxToolCalls: 6 }, undefined],
    [{ maxToolCalls: 4 }, { rule: 'cap:tool_calls', callsRun: 4, turn: 1 }],
    [{ maxToolCalls: 5 }, { rule: 'cap:tool_calls', callsRun: 5, turn: 2 }],
  ] as const)('%j ends it where the next step does not fit', (caps, stop) => {
    if (stop === undefined) expect(stopOf(caps, three)).toBeUndefined()
    else expect(stopOf(caps, three)).toMatchObject(stop)
  })
})

describe('given what the turns used', () => {
  const spending = three.map((each, index) => ({
    ...each,
    ...{ tokens: { in: 100, out: 10 }, costUsd: 0.5, startedMs: index * 1000 },
  }))

  it.each([
    [{ maxTokens: 220 }, 'cap:tokens'],
    [{ maxCostUsd: 1 }, 'cap:cost'],
    [{ maxWallClockMs: 2000 }, 'cap:wall_clock'],
  ])('%j lets two turns run, and not the third', (caps, rule) => {
    expect(stopOf(caps, spending)).toMatchObject({ rule, callsRun: 4, turn: 1 })
  })

  it('what is not told once is told for nothing that follows', () => {
    const [first = turn(), second = turn(), third = turn()] = spending
    expect(stopOf({ maxTokens: 120 }, [first, { ...second, tokens: null }, third])).toBeUndefined()
  })
})
