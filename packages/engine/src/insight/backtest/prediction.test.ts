/** A backtest predicts what a run with that policy does. */
import { loopDetection } from '@donecheck/core/internal/rules/detectors'
import { stagnation } from '@donecheck/core/internal/rules/soft-verifiers'
import {
  standardLoopDetection,
  standardStagnation,
  type LoopDetectionSettings,
} from '@donecheck/core/internal/events/settings'
import type { Caps } from '@donecheck/core/internal/budgets'
import { noCaps } from '@donecheck/core/testing'
import { describe, expect, it } from 'vitest'
import { play, scriptedAgent, tool, verifier } from '../../testing/index.ts'
import { runOfEvents, stepsOf } from '../recordings/index.ts'
import { replay, type StopPolicy, watcherOf } from './replay.ts'

const turns = 60

/** What the agent does in every turn: claim to be done, look, or edit the tree. */
type Deed = 'claim' | 'look' | 'edit'
type Settings = Omit<StopPolicy, 'name'>

/** Runs an agent that never finishes under a policy. */
async function played(deed: Deed, { caps, soft }: Settings) {
  let edits = 0
  const edit = () => {
    edits += 1
    return { status: 'ok', output: 'written' } as const
  }
  const replies = Array.from({ length: turns }, (_, turn) => ({
    text: `${word(turn)} and ${word(turn * 7)} are what I ${word(turn * 3)} with the ${word(turn * 11)}.`,
    tools: deed === 'claim' ? [] : [{ tool: deed, args: deed === 'look' ? {} : { text: word(turn) } }],
  }))
  const { events, state } = await play({
    agent: scriptedAgent(replies),
    tools: [tool('look', () => ({ status: 'ok', output: 'nothing there' }), 'read'), tool('edit', edit)],
    verifiers: [verifier('tests', () => ({ status: 'failed', reason: 'the third test fails' }))],
    rules: [loopDetection, stagnation],
    workspace: { folder: '/srv/tree', fingerprint: async () => `tree-${edits}` },
    caps: { ...caps, maxIterations: caps.maxIterations ?? turns },
    settings: { soft },
  })
  return { events, turns: state.turn, calls: state.consumption.toolCalls }
}

/** Varies, so that replies do not repeat. */
function word(index: number): string {
  return index.toString(26).replaceAll(/\d/g, (digit) => 'qrstuvwxyz'.charAt(Number(digit)))
}

const off = softOf({ mode: 'off' })

function softOf(loops: Partial<LoopDetectionSettings>): StopPolicy['soft'] {
  return {
    loopDetection: { ...standardLoopDetection, ...loops },
    stagnation: { ...standardStagnation, mode: 'off' },
    tokenBudget: null,
  }
}

const patience = (patienceVerifications: number, changesPerClaim: number) => ({
  ...off,
  stagnation: { ...standardStagnation, patienceVerifications, changesPerClaim },
})

describe('given a run that no rule ended', () => {
  it.each<[Deed, string, Partial<Caps>, StopPolicy['soft']]>([
    ['look', 'the loop detectors as they are', {}, softOf({})],
    ['look', 'an end at the first verdict', {}, softOf({ vetoesUntilEnd: 0 })],
    ['look', 'an end after one refusal', {}, softOf({ vetoesUntilEnd: 1 })],
    ['look', 'more patience with cycles', {}, softOf({ cycleRepeats: 6 })],
    ['look', 'a cap on turns', { maxIterations: 7 }, off],
    ['look', 'a cap on calls of tools', { maxToolCalls: 5 }, off],
    ['claim', 'the loop detectors as they are', {}, softOf({})],
    ['claim', 'fewer failures of a check', {}, softOf({ failedCheckRepeatThreshold: 4 })],
    ['claim', 'stagnation', {}, patience(1, 1)],
    ['claim', 'a cap on model calls', { maxModelCalls: 6 }, off],
    ['edit', 'the loop detectors as they are', {}, softOf({})],
    ['edit', 'an end at the first verdict', {}, softOf({ vetoesUntilEnd: 0 })],
    ['edit', 'stagnation where every change counts', {}, patience(4, 1)],
    ['edit', 'stagnation as it is', {}, patience(8, 5)],
  ])('with an agent that would %s, and %s: what is said to run is what runs', async (deed, _, caps, soft) => {
    const policy = { name: 'p', caps: { ...noCaps, ...caps }, soft }
    const { events } = await played(deed, { caps: noCaps, soft: off })
    const run = runOfEvents(events, 'store')
    if (run === undefined) throw new Error('nothing was recorded')
    const { stop } = replay(watcherOf(policy), stepsOf(run))
    const made = await played(deed, policy)
    const said =
      stop === undefined
        ? { turns, calls: deed === 'claim' ? 0 : turns }
        : { turns: stop.turn + 1, calls: stop.callsRun }
    expect(said).toEqual({ turns: made.turns, calls: made.calls })
  })
})
