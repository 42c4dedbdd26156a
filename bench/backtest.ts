import { standardLoopDetection, standardStagnation } from '@donecheck/core/internal/events/settings'
import { replay, watcherOf, type StopPolicy } from '@donecheck/engine/internal/insight/backtest'
import { stepsOf, type Step } from '@donecheck/engine/internal/insight/recordings'
import { everyCap } from '@donecheck/core/internal/budgets'
import { madeRun, madeTurn } from '@donecheck/engine/testing'
import { median, rounded, timed, type Table } from './table.ts'

const runs = 200
const callsPerRun = 50
const calls = runs * callsPerRun

/** The default policy, with a cap on turns that no run reaches. */
const policy: StopPolicy = {
  name: 'default',
  caps: { ...everyCap('field', () => null), maxIterations: callsPerRun + 1, maxCallsPerTool: {} },
  soft: { loopDetection: standardLoopDetection, stagnation: standardStagnation, tokenBudget: null },
}

/** What one policy costs over calls that are read, and what reading them costs once for all policies. */
export async function backtestTable(): Promise<Table> {
  const watcher = watcherOf(policy)
  const replayAll = (recorded: readonly (readonly Step[])[]) => {
    for (const steps of recorded) replay(watcher, steps)
  }
  const first: number[] = []
  const again: number[] = []
  for (let round = 0; round < 5; round += 1) {
    // Steps that nobody has seen yet: what is compared of them is read in the first pass, and kept.
    const recorded = Array.from({ length: runs }, (_, run) => stepsOf(sampleRun(run)))
    first.push(await timed(() => replayAll(recorded)))
    again.push(await timed(() => replayAll(recorded)))
  }
  const perSecond = (ms: readonly number[]) => rounded((calls * 1000) / median(ms), 0)
  return {
    title: `backtest of ${calls.toLocaleString('en-US')} calls, median of 5`,
    rows: [
      { name: 'a further policy', 'calls per second': perSecond(again), aim: 'calls >= 20000' },
      { name: 'the first one, which reads', 'calls per second': perSecond(first) },
    ],
  }
}

/** Results of about 1,500 characters, hardly two of them alike. */
function sampleRun(run: number) {
  const turns = Array.from({ length: callsPerRun }, (_, index) => {
    const result = `line ${index} of run ${run}: nothing was found there`.repeat(30)
    const turn = madeTurn([`bash sed-${run}-${index} -`], {
      text: `Now I read part ${index} of file ${run}.`,
    })
    return {
      ...turn,
      toolCalls: turn.toolCalls.map((call) => ({ ...call, result, resultDigest: `${run} ${index}` })),
    }
  })
  return madeRun([], { id: `sample/${run}`, turns })
}
