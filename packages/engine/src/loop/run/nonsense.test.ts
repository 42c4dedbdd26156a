import { describe, expect, it } from 'vitest'
import { scriptedAgent } from '../agents/index.ts'
import type { Approval, Approver, Gate, GateDecision } from '../../ports/gate.ts'
import type { Agent, AgentResponse, PreparedCall } from '../../ports/loop.ts'
import type { Verifier, VerifierResult } from '../../ports/checks.ts'
import { play, tool, verifier, type Scene } from '../../testing/index.ts'

const ok = { status: 'ok', output: 'written' } as const
const writes = (): Scene => ({
  agent: scriptedAgent([{ tools: [{ tool: 'write', args: {} }] }, 'Done.']),
  tools: [tool('write', () => ok)],
})

/** Values of the wrong type: the cast is intended. */
const lying = {
  report: (answer: unknown) => answer as VerifierResult,
  decision: (answer: unknown) => answer as GateDecision,
  approval: (answer: unknown) => answer as Approval,
  answer: (answer: unknown) => answer as AgentResponse,
  prepared: (answer: unknown) => answer as PreparedCall,
}

function shown(answer: unknown): string {
  return answer === undefined ? 'nothing' : JSON.stringify(answer)
}

describe('given a verifier that answers nonsense', () => {
  for (const answer of [
    undefined,
    null,
    'PASS',
    {},
    { status: 'PASS', reason: 'yes', canRetry: true, qualifiers: [], evidence: [] },
  ]) {
    it(`then ${shown(answer)} is an error, and the record can be read again`, async () => {
      const honest = verifier('liar', () => ({ status: 'passed' }))
      const liar: Verifier = { ...honest, verify: () => Promise.resolve(lying.report(answer)) }
      const played = await play({
        agent: scriptedAgent(['Done.'], { repeatLast: true }),
        verifiers: [liar],
        caps: { maxIterations: 2 },
      })
      expect(played.state.checks['liar']?.latest?.status).toBe('error')
      expect(await played.store.read('run-1')).toHaveLength(played.events.length)
    })
  }
})

describe('given a gate or an approver that answers nonsense', () => {
  it('then a gate without a decision forbids', async () => {
    const { events } = await play({
      ...writes(),
      gate: { check: () => Promise.resolve(lying.decision(undefined)) },
    })
    expect(events.find(({ type }) => type === 'tool-refused')).toMatchObject({ by: 'gate' })
  })

  for (const answer of [
    undefined,
    { approved: 'no', by: 'x', reason: 'y' },
    { approved: 1, by: 'x', reason: 'y' },
  ]) {
    it(`then the answer ${shown(answer)} is not a yes`, async () => {
      const gate: Gate = { check: () => Promise.resolve({ kind: 'prompt', reason: 'a test' }) }
      const approver: Approver = { ask: () => Promise.resolve(lying.approval(answer)) }
      const { events } = await play({ ...writes(), gate, approver })
      expect(events.some(({ type }) => type === 'tool-called')).toBe(false)
      expect(events.find(({ type }) => type === 'approval-given')).toMatchObject({ approved: false })
    })
  }
})

describe('given a tool that answers nonsense about its arguments', () => {
  it('then the call is refused, and the run goes on', async () => {
    const odd = { ...tool('write', () => ok), prepare: () => Promise.resolve(lying.prepared(undefined)) }
    const { events, state } = await play({ ...writes(), tools: [odd] })
    expect(events.find(({ type }) => type === 'tool-refused')).toMatchObject({ by: 'schema' })
    expect(state.phase.kind).toBe('stopped')
  })
})

describe('given an agent that answers nonsense', () => {
  const usage = { inputTokens: Number.NaN, outputTokens: 1, estimated: false }
  const replied = { kind: 'replied', text: 'Done.', finish: 'stop', toolCalls: [], usage: null }
  for (const [name, answer] of Object.entries({
    nothing: undefined,
    'no calls': { ...replied, toolCalls: undefined },
    'tokens that are no number': { ...replied, usage },
  })) {
    it(`then ${name} ends the run as an error, and the record can be read again`, async () => {
      const agent: Agent = { ...scriptedAgent([]), next: () => Promise.resolve(lying.answer(answer)) }
      const played = await play({ agent })
      expect(played.state.phase).toMatchObject({ transition: { reason: 'error' } })
      expect(await played.store.read('run-1')).toHaveLength(played.events.length)
    })
  }
})

describe('given ports that do not listen', () => {
  it('then the wall clock ends a gate that is slow, and the run with it', async () => {
    const clock = { elapsed: 0 }
    const timeOver = new Promise((resolve) => AbortSignal.timeout(30).addEventListener('abort', resolve))
    const gate: Gate = {
      check: async () => {
        await timeOver
        clock.elapsed += 1
        return { kind: 'allow', reason: 'late' }
      },
    }
    const { state } = await play({ ...writes(), gate, caps: { maxWallClockMs: 10 } })
    expect(state.phase.kind).toBe('stopped')
    expect(clock.elapsed).toBeLessThan(3)
  })
})

describe('given a secret that stands in the name of a check', () => {
  it('then the check is still found and asked, under its masked name', async () => {
    const { createAgentLoop } = await import('../compose/index.ts')
    const check = verifier('psql postgres://u:hunter2-hunter2@db', () => ({ status: 'passed' }), {
      reads: 'answer',
    })
    const loop = createAgentLoop({
      agent: scriptedAgent(['Done.']),
      hardVerifiers: [check],
      secrets: { PASSWORD: 'hunter2-hunter2', KIND: 'custom', OTHER: 'passed' },
    })
    const { transition, verdicts } = await loop.run('do it')
    expect(transition.reason).toBe('task_complete')
    expect(verdicts[0]?.verifier).toBe('psql postgres://u:[masked:PASSWORD]@db')
  })
})
