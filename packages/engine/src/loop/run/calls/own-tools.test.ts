import { describe, expect, it } from 'vitest'
import type { Agent, AgentResponse, AgentRequest, OwnTool, ProposedCall } from '../../../ports/loop.ts'
import type { Gate } from '../../../ports/gate.ts'
import { play, typesOf, verifier } from '../../../testing/index.ts'

type Step = Partial<Extract<AgentResponse, { kind: 'replied' }>>

interface Acted {
  readonly refused: string[]
  readonly ran: string[]
  readonly requests: AgentRequest[]
  cancels: number
}

const call = (callId: string): ProposedCall => ({ callId, tool: 'Bash', args: { command: 'true' } })
const working = (callId: string, more: Step = {}): Step => ({
  toolCalls: [call(callId)],
  finish: 'tool-calls',
  ...more,
})

/** An agent that plays its steps regardless of messages; the last one repeats. */
function scriptOwnTools(
  steps: readonly Step[],
  { isAsked = false, ownsTools = true, hasOwnPermissions = false } = {},
) {
  const acted: Acted = { refused: [], ran: [], requests: [], cancels: 0 }
  const toolOf = (callId: string): OwnTool => ({
    name: 'Bash',
    description: 'its own shell',
    parameters: {},
    effect: 'execute',
    isAsked,
    ...(hasOwnPermissions ? { hasOwnPermissions: true as const } : {}),
    prepare: async () => ({
      kind: 'ready',
      summary: 'run true',
      run: async (_, context) => {
        acted.ran.push(context?.isApproved === true ? `${callId} by a yes` : callId)
        return { status: 'ok', output: callId }
      },
    }),
  })
  const agent: Agent = {
    description: {
      kind: 'external',
      name: 'an agent',
      sideEffects: true,
      reportsUsage: true,
      prices: null,
      maxOutputTokens: 1000,
      contextWindowTokens: 100_000,
      ...(ownsTools ? { ownsTools: true as const } : {}),
    },
    async next(request) {
      acted.requests.push(request)
      const step = steps[Math.min(request.replies, steps.length - 1)]
      const usage = { inputTokens: 100, outputTokens: 10, estimated: false }
      return { kind: 'replied', text: '', toolCalls: [], finish: 'stop', usage, ...step }
    },
    own: {
      toolOf,
      refuse: async (callId, reason) => {
        acted.refused.push(`${callId}: ${reason}`)
      },
      cancel: async () => {
        acted.cancels += 1
      },
    },
  }
  return { agent, acted }
}

const steps = [working('a'), working('b'), { text: 'Done.' }]

describe('given an agent that calls its own tools and then claims', () => {
  it('then all of it is one turn, and the checks are asked once, after the claim', async () => {
    const { agent } = scriptOwnTools(steps)
    let asked = 0
    const check = verifier('tests', () => ({ status: (asked += 1) > 1 ? 'passed' : 'failed' }))
    const { state, events } = await play({ agent, verifiers: [check] })
    expect(state.phase).toMatchObject({ transition: { reason: 'task_complete' } })
    expect(state.consumption).toMatchObject({ iterations: 1, modelCalls: 3, toolCalls: 2, inputTokens: 300 })
    expect(typesOf(events).filter((type) => type === 'turn-ended')).toHaveLength(1)
    expect(asked).toBe(2)
  })
})

describe('given an agent in the middle of its turn', () => {
  it.each([
    ['tool calls', { maxToolCalls: 3 }, 'tool_calls'],
    ['model calls', { maxModelCalls: 4 }, 'model_calls'],
    ['tokens', { maxTokens: 2000 }, 'tokens'],
  ] as const)(
    'when its %s are used up, then it is broken off before anything is checked',
    async (_, caps, cap) => {
      const ids = Array.from({ length: 40 }, (__, index) => working(`call-${index}`))
      const { agent, acted } = scriptOwnTools(ids)
      let cancelsBefore = 0
      const check = verifier('tests', (times) => {
        if (times === 2) cancelsBefore = acted.cancels
        return { status: 'failed' }
      })
      const { state } = await play({ agent, verifiers: [check], caps })
      expect(state.phase).toMatchObject({ transition: { reason: 'hard_cap', cap, lastCheck: 'run' } })
      expect(cancelsBefore).toBeGreaterThan(0)
    },
  )
})

describe('given a call that the gate forbids', () => {
  const gate: Gate = { check: async () => ({ kind: 'forbidden', reason: 'not that one' }) }

  it('when the agent asks first, then it is told no, and goes on in the same turn', async () => {
    const { agent, acted } = scriptOwnTools(steps, { isAsked: true })
    const { state, events } = await play({ agent, gate })
    expect(acted.refused).toEqual(['a: not that one', 'b: not that one'])
    expect(acted.ran).toEqual([])
    expect(typesOf(events).filter((type) => type === 'tool-refused')).toHaveLength(2)
    expect(state.consumption.iterations).toBe(1)
  })

  it('when it runs already, then the gate is not asked for what it can no longer forbid', async () => {
    const { agent, acted } = scriptOwnTools(steps)
    await play({ agent, gate })
    expect(acted).toMatchObject({ refused: [], ran: ['a', 'b'] })
  })
})

describe('given an agent with permissions of its own', () => {
  it('when it asks, then the gate knows of them, and the agent of a yes that somebody has said', async () => {
    const { agent, acted } = scriptOwnTools(steps, { isAsked: true, hasOwnPermissions: true })
    const seen: unknown[] = []
    const gate: Gate = {
      check: async ({ hasOwnPermissions }) => {
        seen.push(hasOwnPermissions)
        return { kind: seen.length === 1 ? 'prompt' : 'allow', reason: 'a rule asks' }
      },
    }
    const approver = { ask: async () => ({ approved: true, by: 'ann', reason: 'fine' }) }
    await play({ agent, gate, approver })
    expect(seen).toEqual([true, true])
    expect(acted.ran).toEqual(['a by a yes', 'b'])
  })
})

describe('given an agent that tells the name of its session', () => {
  it('then it stands in the record before its answer, and every later request brings it', async () => {
    const { agent, acted } = scriptOwnTools([{ text: 'Done.' }])
    const telling: Agent = {
      ...agent,
      next: (request, signal) => {
        request.onSession?.('session-7')
        request.onSession?.('session-7')
        return agent.next(request, signal)
      },
    }
    const check = verifier('tests', (times) => ({ status: times > 2 ? 'passed' : 'failed' }))
    const { events, state } = await play({ agent: telling, verifiers: [check] })
    const types = typesOf(events)
    expect(types.filter((type) => type === 'agent-session-opened')).toHaveLength(1)
    expect(types.indexOf('agent-session-opened')).toBeLessThan(types.indexOf('model-replied'))
    expect(acted.requests.map(({ session }) => session)).toEqual([undefined, 'session-7'])
    expect(state.agentSession).toBe('session-7')
  })
})

describe('given an agent that says what its reply has cost', () => {
  it('when it tells so only at the end of its turns, then a cap on cost holds between them', async () => {
    const { agent, acted } = scriptOwnTools([{ text: 'Done.', costUsd: 0.25 }])
    const telling = { ...agent, description: { ...agent.description, reportsCost: true as const } }
    const { state } = await play({
      agent: telling,
      verifiers: [verifier('tests', () => ({ status: 'failed' }))],
      caps: { maxCostUsd: 0.6 },
    })
    expect(state.phase).toMatchObject({ transition: { reason: 'hard_cap', cap: 'cost' } })
    expect(acted.requests).toHaveLength(3)
  })
})

describe('given an agent that is blocked again and again', () => {
  const claims = [{ text: 'Done.' }]

  it('when nothing becomes better, then it goes back as often as it may, and ends as capped', async () => {
    const { agent, acted } = scriptOwnTools(claims)
    const { state } = await play({
      agent,
      verifiers: [verifier('tests', () => ({ status: 'failed' }))],
      caps: { maxBlockedStops: 2 },
    })
    expect(state.phase).toMatchObject({
      transition: { reason: 'hard_cap', cap: 'blocked_stops', outcome: 'exhausted' },
    })
    expect(acted.requests).toHaveLength(3)
  })
})
