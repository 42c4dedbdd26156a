import { describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'
import { acpAgent } from './agent.ts'
import { ask, inScriptedPlace } from './fixtures/scripted.ts'
import type { Act, AgentScript } from './fixtures/scripted-agent.ts'

describe('given a command that can never work', () => {
  it.each([
    ['no program', { words: [] }],
    ['an empty one', { words: ['  '] }],
    ['no time', { timeoutMs: 0 }],
    ['no time to start', { startTimeoutMs: -1 }],
  ])('refuses %s', (_, options) => {
    expect(() => acpAgent({ folder: '/', words: ['x'], timeoutMs: null, ...options })).toThrow(UsageError)
  })
})

describe('given an agent that cannot be worked with', () => {
  it.each<readonly [string, AgentScript['start'], RegExp]>([
    ['dies at its start', 'dies', /cannot be run: .*exit code 7.*no licence found/su],
    ['says something else', 'silent', /did not answer initialize within 10 s; it printed: usage: agent/u],
    ['wants a login', 'no-login', /log in first.*It offers: Log in with a key/su],
    ['speaks another version', 'version-9', /another version/u],
  ])('says so when it %s, and for good', async (_, start, message) => {
    await inScriptedPlace(async (place) => {
      const script = start === undefined ? { turns: [] } : { turns: [], start }
      const agent = place.agent(script, { startTimeoutMs: start === 'silent' ? 10_000 : 20_000 })
      const answer = await ask(agent)
      expect(answer).toMatchObject({ kind: 'failed', failure: { kind: 'configuration', retryable: false } })
      expect(answer.kind === 'failed' && answer.failure.message).toMatch(message)
    })
  })

  it('says so when there is no such program', async () => {
    const agent = acpAgent({ folder: '/', words: ['no-such-agent-here'], timeoutMs: null })
    const answer = await ask(agent)
    expect(answer).toMatchObject({ kind: 'failed', failure: { kind: 'configuration' } })
    expect(answer.kind === 'failed' && answer.failure.message).toContain(
      'there is no program "no-such-agent-here"',
    )
  })

  it('works with one that prints noise before and between its messages', async () => {
    await inScriptedPlace(async (place) => {
      const noise: readonly Act[] = [
        { print: '{"half' },
        { print: '{"jsonrpc":"2.0","id":5,"result":1}' },
        { say: 'Fine.' },
      ]
      const agent = place.agent({ turns: [noise], start: 'garbage' })
      expect(await ask(agent)).toMatchObject({ kind: 'replied', text: 'Fine.', finish: 'stop' })
    })
  })
})
