/** The whole ladder in a whole loop: everything is real but the agent, its tool and the clock. */
import { describe, expect, it } from 'vitest'
import {
  standardLoopDetection,
  type LoopDetectionSettings,
  type SoftSettings,
} from '../../../events/settings/index.ts'
import type { Agent } from '@donecheck/engine/internal/ports/loop'
import { play, scriptedAgent, tool, verifier, type Played, type Scene } from '@donecheck/engine/testing'
import { loopDetection, loopDetectionShadow } from '../respond.ts'

function soft(different: Partial<LoopDetectionSettings>): SoftSettings {
  return {
    loopDetection: { ...standardLoopDetection, warmUpCalls: 0, ...different },
    stagnation: { mode: 'off', patienceVerifications: 3, changesPerClaim: 5, epsilonScore: 0 },
    tokenBudget: null,
  }
}

const look = (path: string) => ({ tool: 'look', args: { path } })
const looking = (path: string) => ({ tools: [look(path)] })
const page = 'a page of text that is long enough to be more than an acknowledgement, and never changes at all'

function playing(
  scene: Partial<Scene> & Pick<Scene, 'agent'>,
  different: Partial<LoopDetectionSettings> = {},
) {
  return play({
    tools: [tool('look', () => ({ status: 'ok', output: page }), 'read')],
    rules: [loopDetection, loopDetectionShadow],
    caps: { maxIterations: 60 },
    settings: { soft: soft(different) },
    ...scene,
  })
}

function countOf({ events }: Played, type: string): number {
  return events.filter((event) => event.type === type).length
}

function endOf({ state }: Played) {
  return state.phase.kind === 'stopped' ? state.phase.transition : undefined
}

describe('given an agent that changes something after a loop', () => {
  const check = { tool: 'check', args: {} }
  const other = (command: string) => ({ tool: 'run', args: { command } })
  const failing = [looking('x'), ...Array.from({ length: 4 }, () => ({ tools: [check] }))]

  function onTree(steps: Parameters<typeof scriptedAgent>[0]) {
    let [edits, ran] = [0, 0]
    return playing({
      tools: [
        tool('look', () => ({ status: 'ok', output: `page ${'i'.repeat((ran += 1))}` }), 'read'),
        tool('check', () => ({ status: 'error', output: page }), 'read'),
        tool('run', () => ({ status: 'ok', output: `ran ${'i'.repeat((ran += 1))}` }), 'execute'),
        tool('edit', () => ({ status: 'ok', output: `edited ${(edits += 1)}` }), 'write'),
      ],
      workspace: { folder: '/srv/tree', fingerprint: async () => `tree ${edits}` },
      agent: scriptedAgent([...steps, 'That is all.']),
    })
  }

  it.each([
    ['after an edit', { tool: 'edit', args: {} }, 0],
    ['after another command, which may have changed what no tree shows', other('install'), 0],
    ['not after a look', look('y'), 1],
  ])('the check may run again %s', async (_, between, refused) => {
    const played = await onTree([...failing, { tools: [between] }, { tools: [check] }])
    expect(countOf(played, 'tool-refused')).toBe(refused)
  })

  it.each([
    [5, 1],
    [6, 0],
  ])('%i looks between: refused %i times', async (looks, refused) => {
    const between = Array.from({ length: looks }, (_, at) => looking(`page ${at}`))
    const played = await onTree([...failing, ...between, { tools: [check] }])
    expect(countOf(played, 'tool-refused')).toBe(refused)
  })
})

describe('given a loop with the way out beside it', () => {
  const fix = { tool: 'fix', args: {} }
  const both = { tools: [look('a'), look('b')] }

  function mended() {
    let isMended = false
    const tools = [
      tool('look', () => ({ status: 'ok', output: page }), 'read'),
      tool('fix', () => {
        isMended = true
        return { status: 'ok', output: 'done' }
      }),
    ]
    const check = verifier('check', () => ({ status: isMended ? 'passed' : 'failed' }))
    return { tools, verifiers: [check] }
  }

  it('what was never called before may run, so the work is finished', async () => {
    const steps = [both, both, both, both, { tools: [look('a'), look('b'), fix] }]
    const played = await playing({ ...mended(), agent: scriptedAgent(steps, { repeatLast: true }) })
    expect(endOf(played)).toMatchObject({ reason: 'task_complete', outcome: 'verified' })
  })

  it('new calls beside the refused ones do not keep the loop going for ever', async () => {
    const news = Array.from({ length: 40 }, (_, page) => ({
      tools: [look('a'), look('b'), look(`new ${page}`)],
    }))
    const played = await playing({
      agent: scriptedAgent([both, both, both, both, ...news], { repeatLast: true }),
    })
    expect(endOf(played)).toMatchObject({ reason: 'loop_detected' })
    expect(played.state.turn).toBeLessThan(10)
  })

  it('finished work that nobody claims is verified when its agent goes round in circles', async () => {
    const steps = [{ tools: [fix] }, looking('a')]
    const settings = { soft: soft({}), completeWhen: 'checks-and-claim' as const }
    const agent = scriptedAgent(steps, { repeatLast: true })
    const played = await playing({ ...mended(), agent, settings })
    expect(endOf(played)).toMatchObject({
      reason: 'task_complete',
      outcome: 'verified',
      findings: ['loop:cycle'],
    })
  })
})

describe('given an agent that says done, and a check that fails in ever other words', () => {
  it('is ended: on one tree nothing was done', async () => {
    let asked = 0
    const check = verifier('check', () => ({
      status: 'failed',
      reason: `counterexample ${'x'.repeat((asked += 1))}`,
    }))
    const workspace = { folder: '/srv/tree', fingerprint: async () => 'tree' }
    const agent = scriptedAgent(['Done.'], { repeatLast: true })
    const played = await playing({ agent, verifiers: [check], workspace })
    expect(endOf(played)).toMatchObject({ reason: 'loop_detected', detector: 'failed_check_repeat' })
    expect(played.state.turn).toBe(4)
  })
})

describe('given an agent that makes the same call for ever with tools of its own, in one turn', () => {
  const ownTools = (agent: Agent): Agent => ({
    ...agent,
    description: { ...agent.description, kind: 'external', ownsTools: true },
  })

  it('is refused as often as an agent whose calls are turns, and ended', async () => {
    const played = await playing({ agent: ownTools(scriptedAgent([looking('a')], { repeatLast: true })) })
    expect(endOf(played)).toMatchObject({ reason: 'loop_detected', detector: 'cycle' })
    expect(countOf(played, 'tool-called')).toBe(4)
    expect(countOf(played, 'tool-refused')).toBe(2)
    expect(played.state.turn).toBe(1)
  })
})
