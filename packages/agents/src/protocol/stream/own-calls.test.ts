import { describe, expect, it } from 'vitest'
import type { JsonValue } from '@donecheck/core/internal/events'
import type { AgentCall, CallAnswer } from './agent-signal.ts'
import {
  agentOf,
  call,
  callEnded,
  end,
  next,
  prepared,
  ready,
  run,
  session,
  step,
  text,
  told,
} from './fixtures/scripted-agent.ts'

describe('given a call that the agent asks for', () => {
  function asking(more: Partial<AgentCall> = {}) {
    const answers: CallAnswer[] = []
    const { promise: answered, resolve } = Promise.withResolvers<undefined>()
    const answer = (given: CallAnswer) => {
      answers.push(given)
      resolve(undefined)
      return Promise.resolve()
    }
    const agent = agentOf([
      [session, call('a', { answer, ...more }), () => answered, callEnded('a'), text('Done.'), step, end],
    ])
    return { agent, answers }
  }

  it('says yes when it is run, and waits for its end', async () => {
    const { agent, answers } = asking({
      action: { kind: 'command', script: 'ls', folder: '/' },
      summary: 'ls',
    })
    await next(agent)
    expect(agent.agent.own?.toolOf('a')?.isAsked).toBe(true)
    expect(ready(await prepared(agent, 'a'))).toMatchObject({ summary: 'ls', action: { script: 'ls' } })
    expect(await run(agent, 'a')).toEqual({ status: 'ok', output: 'fine' })
    expect(answers).toEqual([{ allowed: true, args: { command: 'ls' } }])
  })

  it('lets what will run be judged, not what was to run', async () => {
    const action = { kind: 'command' as const, script: 'ls', folder: '/' }
    const look = (args: JsonValue) => Promise.resolve({ summary: `looked at ${JSON.stringify(args)}` })
    const { agent } = asking({ action, summary: 'ls', preview: 'ls', look })
    await next(agent)
    const changed = ready(await prepared(agent, 'a', { command: 'rm' }))
    expect(changed.summary).toBe('looked at {"command":"rm"}')
    expect(changed).not.toHaveProperty('action')
    expect(changed).not.toHaveProperty('preview')
    expect(ready(await prepared(agent, 'a'))).toMatchObject({ summary: 'ls', action })
  })

  it('does not take other arguments where nobody can say what they would do', async () => {
    const { agent } = asking({ action: { kind: 'command', script: 'ls', folder: '/' } })
    await next(agent)
    expect(await prepared(agent, 'a', { command: 'rm' })).toMatchObject({ kind: 'invalid' })
  })

  it('does not run what must not run, whatever a gate says', async () => {
    const { agent } = asking({ refusal: 'it watches over this work' })
    await next(agent)
    expect(await prepared(agent, 'a')).toEqual({
      kind: 'invalid',
      reason: 'it watches over this work',
      label: 'protected_file',
    })
  })

  it('says no with the reason, and the turn goes on', async () => {
    const { agent, answers } = asking()
    await next(agent)
    await agent.agent.own?.refuse('a', 'a rule forbids it')
    expect(answers).toEqual([{ allowed: false, reason: 'a rule forbids it' }])
    expect(await next(agent)).toMatchObject({ text: 'Done.', finish: 'stop' })
  })

  it('gives way where a call that is at work waits for it', async () => {
    const answers: CallAnswer[] = []
    const answer = (given: CallAnswer) => Promise.resolve(void answers.push(given))
    const agent = agentOf([[call('outer'), step, call('inner', { answer }), 'hangs']])
    await next(agent)
    expect(await run(agent, 'outer')).toMatchObject({ status: 'ok' })
    expect(await next(agent)).toMatchObject({ toolCalls: [{ callId: 'inner' }] })
    await agent.agent.own?.cancel()
  })
})

describe('given a call that runs already', () => {
  it('breaks the turn off when it is refused, and says why with the next answer', async () => {
    const agent = agentOf([
      [session, call('a'), call('b'), step, 'hangs'],
      [step, end],
    ])
    await next(agent)
    expect(agent.agent.own?.toolOf('a')?.isAsked).toBe(false)
    await agent.agent.own?.refuse('a', 'the same call for the fifth time')
    expect(agent.atWork()).toBe(0)
    expect(await run(agent, 'b')).toMatchObject({ status: 'error' })
    const answer = await next(agent)
    expect(answer).toMatchObject({ kind: 'replied', finish: 'other', toolCalls: [], usage: null })
    expect(answer.kind === 'replied' && answer.problem).toContain('the same call for the fifth time')
    await next(agent, { conversation: told('red', { problem: 'it was ended' }) })
    expect(agent.starts[1]).toMatchObject({
      session: 's1',
      prompt: 'Your last turn had a problem: it was ended\n\nred',
    })
  })

  it('is broken off with the turn when the signal aborts', async () => {
    const abort = new AbortController()
    const agent = agentOf([
      [
        call('a'),
        step,
        () => {
          abort.abort()
          return Promise.resolve()
        },
        'hangs',
      ],
    ])
    await next(agent)
    expect(await run(agent, 'a', abort.signal)).toMatchObject({ status: 'interrupted' })
    expect(agent.atWork()).toBe(0)
  })
})
