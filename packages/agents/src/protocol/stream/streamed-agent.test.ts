import { describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'
import { agentContract } from '@donecheck/engine/internal/testing/contracts'
import {
  agentOf,
  call,
  callEnded,
  end,
  next,
  run,
  session,
  step,
  text,
  told,
  usage,
} from './fixtures/scripted-agent.ts'

agentContract('streamed', {
  replying: () =>
    agentOf([[session, text('It is '), text('done.'), step, { kind: 'turn-ended', text: 'It is done.' }]])
      .agent,
  failing: () =>
    agentOf([
      [
        {
          kind: 'turn-ended',
          text: '',
          failure: { kind: 'configuration', message: 'not there', retryable: false },
        },
      ],
    ]).agent,
  hanging: (onStart) => {
    hanging = agentOf([
      [
        () => {
          onStart()
          return Promise.resolve()
        },
        'hangs',
      ],
    ])
    return hanging.agent
  },
  isAtWork: () => hanging.atWork() > 0,
})

let hanging = agentOf([])

describe('given a turn with calls', () => {
  it('proposes them as steps of the turn, and claims at its end', async () => {
    const agent = agentOf([
      [session, text('Look.'), call('a'), step, callEnded('a', 'file.txt'), text('Done.'), step, end],
    ])
    expect(await next(agent)).toMatchObject({
      kind: 'replied',
      text: 'Look.',
      finish: 'tool-calls',
      toolCalls: [{ callId: 'a', tool: 'Bash', args: { command: 'ls' } }],
      usage,
      costUsd: 0.5,
    })
    expect(await run(agent, 'a')).toEqual({ status: 'ok', output: 'file.txt' })
    expect(await next(agent)).toMatchObject({
      text: 'Done.',
      finish: 'stop',
      toolCalls: [],
      usage,
      costUsd: 0.5,
    })
    expect(agent.starts).toHaveLength(1)
    expect(agent.atWork()).toBe(0)
  })

  it('says what a later turn must know in the same session, and no more', async () => {
    const agent = agentOf([[session, step, end]])
    await next(agent)
    await next(agent, { conversation: told('2 tests fail.') })
    expect(agent.starts.map(({ prompt, session: known }) => [prompt, known])).toEqual([
      ['Make it green.', undefined],
      ['2 tests fail.', 's1'],
    ])
  })
})

describe('given a turn that is not to go on', () => {
  it('is at rest once it is cancelled, and resolves at once when idle', async () => {
    const agent = agentOf([[call('a'), step, 'hangs']])
    await agent.agent.own?.cancel()
    await next(agent)
    expect(agent.atWork()).toBe(1)
    await agent.agent.own?.cancel()
    await agent.agent.own?.cancel()
    expect(agent.atWork()).toBe(0)
  })

  it('is broken off when it takes too long, and that is no claim', async () => {
    const agent = agentOf([[session, text('Hm.'), 'hangs']], { timeoutMs: 20 })
    const answer = await next(agent)
    expect(answer).toMatchObject({ kind: 'replied', text: 'Hm.', finish: 'other', usage: null })
    expect(answer.kind === 'replied' && answer.problem).toContain('did not end within 0.02 s')
    expect(agent.atWork()).toBe(0)
  })
})

describe('given a turn that ends badly', () => {
  it.each([
    ['stops without an end', [session], 'the agent said nothing of the end of its turn'],
    ['breaks', [session, new Error('the pipe broke')], 'the pipe broke'],
    [
      'has a problem',
      [{ ...end, problem: 'it ended with error_max_turns' }],
      'it ended with error_max_turns',
    ],
  ] as const)('that %s is no claim', async (_, acts, problem) => {
    expect(await next(agentOf([acts]))).toMatchObject({ kind: 'replied', finish: 'other', problem })
  })

  it('books what was used before it tells a failure', async () => {
    const failure = { kind: 'rate-limited', message: 'too many', retryable: true } as const
    const agent = agentOf([
      [session, text('Half'), { ...end, usage, costUsd: 2, failure }],
      [step, end],
    ])
    expect(await next(agent)).toMatchObject({
      kind: 'replied',
      finish: 'tool-calls',
      toolCalls: [],
      usage,
      costUsd: 2,
    })
    expect(await next(agent)).toEqual({ kind: 'failed', failure, usage: null })
    await next(agent, { attempt: 2 })
    expect(agent.starts[1]).toMatchObject({ session: 's1', prompt: 'Make it green.' })
  })
})

describe('given a session of an earlier process', () => {
  it('goes on with it', async () => {
    const agent = agentOf([[step, end]])
    await next(agent, { session: 'old', conversation: told('red') })
    expect(agent.starts).toMatchObject([{ session: 'old', prompt: 'red' }])
  })

  it('begins anew with all that is known, where the agent has lost it', async () => {
    const sessions: string[] = []
    const agent = agentOf([[{ kind: 'session-lost', message: 'no such session' }], [session, step, end]])
    const onSession = (id: string) => {
      sessions.push(id)
    }
    expect(await next(agent, { session: 'old', conversation: told('red'), onSession })).toMatchObject({
      finish: 'stop',
    })
    expect(agent.starts.map((start) => start.session)).toEqual(['old', undefined])
    expect(agent.starts[1]?.prompt).toContain('Make it green.')
    expect(agent.starts[1]?.prompt).toContain('red')
    expect(new Set(agent.starts.map(({ key }) => key)).size).toBe(2)
    await next(agent, { session: 'old', conversation: told('still red') })
    expect(agent.starts[2]).toMatchObject({ session: 's1', prompt: 'still red' })
    expect(sessions).toContain('s1')
  })
})

describe('given an agent that tells its plan', () => {
  const plan = (state: 'pending' | 'completed') => ({
    kind: 'plan' as const,
    entries: [{ text: 'write it', state }],
  })

  it('hands the latest on with the next answer, and not again as long as it is the same', async () => {
    const plans: unknown[] = []
    const onPlan = (reported: unknown) => plans.push(reported)
    const agent = agentOf([
      [plan('completed'), plan('pending'), call('a'), step, plan('completed'), callEnded('a'), step, end],
      [plan('completed'), step, end],
    ])
    await next(agent, { onPlan })
    expect(plans).toEqual([plan('pending').entries])
    await run(agent, 'a')
    expect(await next(agent, { onPlan })).toMatchObject({ finish: 'stop', text: 'Done.' })
    expect(plans).toEqual([plan('pending').entries, plan('completed').entries])
    await next(agent, { onPlan })
    expect(plans).toHaveLength(2)
  })
})

describe('given a bound that can never work', () => {
  it.each([0, -5, Number.NaN])('refuses %d', (timeoutMs) => {
    expect(() => agentOf([], { timeoutMs })).toThrow(UsageError)
  })
})
