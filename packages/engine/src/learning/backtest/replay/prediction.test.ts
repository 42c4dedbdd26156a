/** What a backtest says of a run that went on is what a run with that policy does. */
import { standardLoopDetection } from '@donecheck/core/detectors'
import { standardStagnation, stagnation } from '@donecheck/core/soft-verifiers'
import { loopDetection } from '@donecheck/core/detectors'
import type { LoopDetectionSettings } from '@donecheck/core/settings'
import type { Caps } from '@donecheck/core/budgets'
import { noCaps } from '@donecheck/core/testing'
import { describe, expect, it } from 'vitest'
import { play, scriptedDrive, tool, verifier } from '../../../testing/index.ts'
import { runOfEvents } from '../../recordings/index.ts'
import { stepsOf } from '../../recordings/index.ts'
import { replay } from './replay.ts'
import { watcherOf, type StopPolicy } from './policy.ts'

const turns = 40

/** A drive that does the same over and over, under a policy. */
async function played({ caps, soft }: Omit<StopPolicy, 'name'>) {
  const replies = Array.from({ length: turns }, (_, turn) => ({
    text: `Try number ${turn}, ${['first', 'another', 'one more'][turn % 3] ?? ''} way.`,
    tools: [{ tool: 'look', args: { path: 'a.ts' } }],
  }))
  const { events, state } = await play({
    drive: scriptedDrive(replies),
    tools: [tool('look', () => ({ status: 'ok', output: 'nothing of the kind' }), 'read')],
    verifiers: [verifier('tests', () => ({ status: 'failed' }))],
    rules: [loopDetection, stagnation],
    caps: { ...caps, maxIterations: caps.maxIterations ?? turns },
    settings: { soft },
  })
  return { events, ran: state.consumption.toolCalls }
}

const off = { ...standardLoopDetection, mode: 'off' } as const
const softOf = (settings: LoopDetectionSettings) => ({
  loopDetection: settings,
  ...{ stagnation: { ...standardStagnation, mode: 'off' as const }, tokenBudget: null },
})

describe('given a run that went round in circles until its cap', () => {
  it.each<[string, Partial<Caps>, LoopDetectionSettings]>([
    ['the loop detectors as they are', {}, standardLoopDetection],
    ['an end at the first verdict', {}, { ...standardLoopDetection, vetoesUntilEnd: 0 }],
    ['an end after one refusal', {}, { ...standardLoopDetection, vetoesUntilEnd: 1 }],
    ['more patience', {}, { ...standardLoopDetection, cycleRepeats: 6 }],
    ['a cap on turns', { maxIterations: 7 }, off],
    ['a cap on calls of tools', { maxToolCalls: 5 }, off],
  ])('%s: so many calls are said to run as run', async (_, some, settings) => {
    const policy = { name: 'p', caps: { ...noCaps, ...some }, soft: softOf(settings) }
    const { events } = await played({ caps: noCaps, soft: softOf(off) })
    const run = runOfEvents(events, 'store')
    if (run === undefined) throw new Error('nothing was recorded')
    const { stop } = replay(watcherOf(policy), stepsOf(run))
    expect(stop?.callsRun).toBeGreaterThan(0)
    expect(stop?.callsRun).toBe((await played(policy)).ran)
  })
})
