import { describe, expect, it } from 'vitest'
import { scriptedAgent, type ScriptedOptions, type ScriptedStep } from '../../agents/index.ts'
import type { Agent, AgentRequest } from '../../../ports/loop.ts'
import { play, playOn, verifier, type Scene } from '../../../testing/index.ts'

/** Plays the steps, and records the requests. */
function listening(steps: readonly ScriptedStep[], description: ScriptedOptions['description'] = {}) {
  const asked: AgentRequest[] = []
  const script = scriptedAgent(steps, { repeatLast: true, description })
  const agent: Agent = {
    ...script,
    next: (request, signal) => {
      asked.push(request)
      return script.next(request, signal)
    },
  }
  return { agent, asked }
}

const failing = verifier('tests', () => ({ status: 'failed', reason: '2 of 9 tests failed' }))

async function toppedUp(steps: readonly ScriptedStep[], scene: Partial<Scene> = {}) {
  const { agent, asked } = listening(steps, scene.agent?.description)
  const whole = { verifiers: [failing], caps: { maxIterations: 1 }, ...scene, agent }
  const first = await play(whole)
  expect(first.state.phase).toMatchObject({ transition: { reason: 'hard_cap', cap: 'iterations' } })
  const before = asked.length
  const second = await playOn(first, whole, { iterations: 1 })
  const request = asked[before]
  if (request === undefined) throw new Error('it was asked again')
  return { first, second, asked, rounds: request.conversation.rounds }
}

const ofKind = {
  model: { kind: 'model', sideEffects: false },
  command: { kind: 'command', sideEffects: true },
} as const

describe.each(['model', 'command'] as const)('given a %s that claims, a cap, and more budget', (kind) => {
  const agent = scriptedAgent([], { description: ofKind[kind] })

  it('its next request says that the claim was not accepted, and why', async () => {
    const { rounds } = await toppedUp(['All done!'], { agent })
    expect(rounds).toMatchObject([{ text: 'All done!' }])
    expect(rounds[0]?.feedback).toContain('Check "tests" failed: 2 of 9 tests failed')
  })
})

describe('given a run at its cap that goes on', () => {
  it('of a held-out check it hears the number alone', async () => {
    const shown = verifier('shown', (call) => ({ status: call === 1 ? 'failed' : 'passed' }))
    const hidden = verifier('hidden', () => ({ status: 'failed', reason: 'the secret case' }), {
      role: 'held-out',
    })
    const { rounds } = await toppedUp(['All done!'], { verifiers: [shown, hidden] })
    expect(rounds[0]?.feedback).toContain('1 of 1 unseen check')
    expect(rounds[0]?.feedback).not.toMatch(/hidden|secret case/)
  })
})
