import { describe, expect, it } from 'vitest'
import { scriptedAgent, type ScriptedStep } from '../../agents/index.ts'
import type { RunEvent } from '@donecheck/core/internal/events'
import type { StopTransition } from '@donecheck/core/internal/events/transitions'
import type { Agent, AgentRequest } from '../../../ports/loop.ts'
import { memoryStore } from '../../../system/store/index.ts'
import { play, playOn, tool, typesOf, verifier, type Played, type Scene } from '../../../testing/index.ts'

const writes: ScriptedStep = { text: 'I write.', tools: [{ tool: 'write', args: {} }] }
/** Two unconfirmed turns, then the request for a summary. */
function scene(finalSummary: ScriptedStep, different: Partial<Scene> = {}): Scene {
  return {
    agent: scriptedAgent([writes, writes, finalSummary, 'This must never be asked for.']),
    tools: [tool('write', () => ({ status: 'ok', output: 'written' }))],
    verifiers: [verifier('tests', () => ({ status: 'failed' }))],
    caps: { maxIterations: 2 },
    settings: { finalSummary: true },
    ...different,
  }
}

function endOf({ state }: Played): StopTransition {
  if (state.phase.kind !== 'stopped') throw new Error('it has stopped')
  return state.phase.transition
}

function replyOf({ events }: Played): Extract<RunEvent, { type: 'final-summary-replied' }> {
  const reply = events.find((event) => event.type === 'final-summary-replied')
  if (reply === undefined) throw new Error('it was asked')
  return reply
}

/** Plays the steps, and records the requests. */
function listening(steps: readonly ScriptedStep[]): {
  readonly agent: Agent
  readonly asked: AgentRequest[]
} {
  const asked: AgentRequest[] = []
  const script = scriptedAgent(steps)
  return {
    asked,
    agent: {
      ...script,
      next: (request, signal) => {
        asked.push(request)
        return script.next(request, signal)
      },
    },
  }
}

describe('given a run that comes to a cap', () => {
  it('then it is asked without tools, after the notice, with the whole conversation before it', async () => {
    const { agent, asked } = listening([writes, writes, 'One of two is done.'])
    const { session } = await play(scene('', { agent }))
    const last = asked.at(-1)
    expect(last?.tools).toEqual([])
    expect(last?.maxOutputTokens).toBe(1024)
    expect(last?.conversation.messages.at(-1)?.text).toContain('You have no tools any more')
    expect(last?.conversation.rounds.map(({ text }) => text)).toEqual(['I write.', 'I write.'])
    expect(asked.slice(0, -1).every(({ tools }) => tools.length === 1)).toBe(true)
    expect(JSON.stringify(session.conversation)).not.toMatch(/no tools any more|One of two/)
  })
})

describe('given an agent that gives no summary', () => {
  const failing = { kind: 'server-error', message: 'the server answered 503', retryable: true } as const

  it.each<[string, ScriptedStep, string]>([
    ['fails', { fails: failing }, 'the server answered 503'],
    ['says nothing', { text: ' ' }, 'the agent said nothing'],
    ['only asks for tools', { tools: [{ tool: 'write', args: {} }] }, 'the agent said nothing'],
    ['throws', () => Promise.reject(new Error('no line')), 'threw: no line'],
    ['answers nonsense', { text: 1 as never }, 'nonsense'],
  ])('when it %s, then it is not asked again, and the end is the same', async (_, step, problem) => {
    const played = await play(scene(step))
    expect(replyOf(played).problem).toContain(problem)
    expect(endOf(played)).toMatchObject({ reason: 'hard_cap', cap: 'iterations', summaryBy: 'program' })
    expect(endOf(played).summary).toMatch(/^Done: no required check passes.*\nLeft: tests \(failed/)
    expect(typesOf(played.events).filter((type) => type === 'final-summary-called')).toHaveLength(1)
  })

  it('when its user breaks in, then the run is interrupted; it ends as it was to when it goes on', async () => {
    const controller = new AbortController()
    const breaksIn = () => {
      controller.abort('SIGINT')
      return Promise.resolve('too late')
    }
    const first = await play(scene(breaksIn, { signal: controller.signal }))
    expect(endOf(first)).toMatchObject({ reason: 'user_interrupt', outcome: 'interrupted' })
    const second = await playOn(first, scene('This must never be asked for.'))
    expect(endOf(second)).toMatchObject({ reason: 'hard_cap', cap: 'iterations' })
    expect(typesOf(second.events)).not.toContain('final-summary-called')
  })
})

describe('given a process that died right after the call was announced', () => {
  it('then it is not repeated: what it may have used is booked, and the record sums up', async () => {
    const whole = await play(scene('One of two is done.'))
    const events = await whole.store.read('run-1')
    const store = memoryStore()
    const died = events.slice(0, events.findIndex(({ type }) => type === 'final-summary-called') + 1)
    await store.append(0, died, null)
    const { agent, asked } = listening([])
    const resumed = await playOn({ ...whole, store }, scene('', { agent }))
    expect(asked).toEqual([])
    expect(replyOf(resumed)).toMatchObject({ problem: 'the process ended while the agent was asked' })
    expect(resumed.state.consumption.modelCalls).toBe(3)
    expect(resumed.state.consumption.tokensEstimated).toBe(true)
    expect(endOf(resumed)).toMatchObject({ reason: 'hard_cap', cap: 'iterations', summaryBy: 'program' })
  })
})
