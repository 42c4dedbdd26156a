import { standardStagnation, standardTokenBudget } from '@donecheck/core/internal/events/settings'
import { failedVerdict, passedVerdict } from '@donecheck/core/testing'
import { describe, expect, it } from 'vitest'
import { madeRun, madeTurn } from '../../testing/index.ts'
import { stepsOf, type RecordedTurn } from '../recordings/index.ts'
import { replay, tokenBudgetWatch } from './replay.ts'
import { stagnationWatch } from './watches.ts'

const settings = { ...standardStagnation, patienceVerifications: 2, changesPerClaim: 1 }
const endOf = (turns: readonly RecordedTurn[]) =>
  replay({ name: 'p', begin: () => stagnationWatch(settings) }, stepsOf(madeRun([], { turns: [...turns] })))
    .stop

describe('given a score after every turn', () => {
  const scored = (...rewards: readonly number[]) => rewards.map((reward) => madeTurn(['a 1 x'], { reward }))

  it('ends a run that is no better than its best, before the next turn', () => {
    expect(endOf(scored(0.5, 0.5, 0.5, 0.5, 0.5))).toMatchObject({ rule: 'stagnation', callsRun: 3, turn: 2 })
  })
})

describe('given what checks said', () => {
  const failing = (tree: string) =>
    madeTurn(['a 1 x'], { checked: { tree, claimed: true, verdicts: [failedVerdict('tests')] } })

  it('several of one tree are one', () => {
    expect(endOf([failing('1'), failing('2'), failing('3'), failing('4')])).toMatchObject({ turn: 1 })
    expect(endOf([failing('1'), failing('1'), failing('1'), failing('1')])).toBeUndefined()
  })
})

describe('given a budget of tokens, and an agent that ends its turns by itself', () => {
  const settings = { ...standardTokenBudget, budgetTokens: 100_000 }
  const red = { tree: '1', claimed: true, verdicts: [failedVerdict('tests')] }
  const rounds = (out: number | null, checked = red) =>
    [1, 2, 3, 4, 5, 6].map(() => madeTurn([], { tokens: { in: 10, out }, checked }))
  const endOfRounds = (turns: readonly RecordedTurn[]) => {
    const watcher = { name: 'b', begin: () => tokenBudgetWatch(settings) }
    return replay(watcher, stepsOf(madeRun([], { turns: [...turns] }))).stop
  }

  it('ends it where rounds bring little and checks are open', () => {
    expect(endOfRounds(rounds(100))).toMatchObject({ rule: 'token_budget', turn: 3 })
  })

  it('lets it go on where they bring much, where nothing is open, or where nobody tells the tokens', () => {
    expect(endOfRounds(rounds(5000))).toBeUndefined()
    expect(endOfRounds(rounds(100, { ...red, verdicts: [passedVerdict('tests')] }))).toBeUndefined()
    expect(endOfRounds(rounds(null))).toBeUndefined()
  })
})
