import { describe, expect, it } from 'vitest'
import { scriptedAgent } from '../../agents/index.ts'
import type { PlanEntry } from '@donecheck/core/internal/events'
import type { Agent, AgentRequest } from '../../../ports/loop.ts'
import { play, typesOf, verifier } from '../../../testing/index.ts'

function telling(tell: (onPlan: NonNullable<AgentRequest['onPlan']>, turn: number) => void): Agent {
  const agent = scriptedAgent(['Working.'], { repeatLast: true })
  return {
    ...agent,
    next: (request, signal) => {
      if (request.onPlan !== undefined) tell(request.onPlan, request.turn)
      return agent.next(request, signal)
    },
  }
}

const red = verifier('tests', () => ({ status: 'failed' }))

describe('given something to say of the agent itself', () => {
  const agent = scriptedAgent(['Working.'], { repeatLast: true })
  const finding: Agent = {
    ...agent,
    next: (request, signal) => {
      request.onFinding?.({ rule: 'calls_not_asked', message: 'nobody is asked' })
      return agent.next(request, signal)
    },
  }

  it('then it stands in the record before the answer, once in a run', async () => {
    const { events } = await play({ agent: finding, verifiers: [red], caps: { maxIterations: 3 } })
    const noted = events.flatMap((event) => (event.type === 'finding-noted' ? [event.finding] : []))
    const ofAgent = noted.filter(({ rule }) => rule === 'calls_not_asked')
    expect(ofAgent).toMatchObject([{ level: 'warn', message: 'nobody is asked' }])
    const types = typesOf(events)
    expect(types.indexOf('finding-noted')).toBeLessThan(types.indexOf('model-replied'))
  })
})

describe('given an agent that tells its plan', () => {
  it.each<readonly [string, unknown]>([
    ['no list', 'finish everything'],
    ['entries of no shape', [{ text: 7, state: 'completed' }]],
    ['nothing', null],
  ])('when it is %s, then it is no plan, and the answer counts', async (_, plan) => {
    const agent = telling((onPlan) => onPlan(plan as readonly PlanEntry[]))
    const { events, state } = await play({ agent, verifiers: [red], caps: { maxIterations: 1 } })
    expect(typesOf(events)).not.toContain('agent-plan-reported')
    expect(state.lastText).toBe('Working.')
  })
})

describe('given an agent that says it is blocked', () => {
  it('then it is its report of that turn, answered at the end of it, and ends the run after three in a row', async () => {
    const agent = scriptedAgent(['I cannot.'], { repeatLast: true })
    const blocked: Agent = {
      ...agent,
      next: (request, signal) => {
        if (request.turn !== 2) request.onBlocker?.('there is no network')
        return agent.next(request, signal)
      },
    }
    let failures = 0
    const ever = verifier('tests', () => ({ status: 'failed', reason: `failure ${(failures += 1)}` }))
    const { events, state } = await play({ agent: blocked, verifiers: [ever], caps: { maxIterations: 9 } })
    expect(state.phase).toMatchObject({ transition: { reason: 'blocked', outcome: 'blocked' } })
    const reports = events.filter((event) => event.type === 'goal-changed')
    expect(reports).toMatchObject(
      Array.from({ length: 4 }, () => ({ by: 'the agent', change: { kind: 'blocker-reported' } })),
    )
    expect(typesOf(events).indexOf('goal-changed')).toBeGreaterThan(typesOf(events).indexOf('model-replied'))
  })
})
