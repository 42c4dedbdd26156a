import { describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/base'
import { repliesOfOpenclaw } from './openclaw.ts'

const text = `{
  // of the gateway
  "gateway": { "port": 18789 },
  "agents": {
    "defaults": {
      "verifier": { "enabled": true, "model": "anthropic/claude-haiku-4-5", "maxAttempts": 2, "timeoutSeconds": 15, },
    },
    "list": [
      { "id": "main" },
      { "id": "ops", "verifier": { "verifyAll": true, "verifyHeartbeat": true, "triggerKeywords": ["shipped"] } },
      { "id": "quiet", "verifier": { "enabled": false } },
    ],
  },
}`

describe('given the file of OpenClaw', () => {
  it('reads the defaults as they stand', () => {
    expect(repliesOfOpenclaw(text, 'openclaw.json')).toEqual({
      replies: { maxAttempts: 2 },
      judge: { models: ['anthropic/claude-haiku-4-5'], timeoutSeconds: 15 },
    })
  })

  it('the keys of an agent go before them, one by one', () => {
    expect(repliesOfOpenclaw(text, 'openclaw.json', 'ops').replies).toEqual({
      all: true,
      heartbeat: true,
      maxAttempts: 2,
      keywords: ['shipped'],
    })
    expect(repliesOfOpenclaw(text, 'openclaw.json', 'quiet').replies).toBe(false)
    expect(repliesOfOpenclaw(text, 'openclaw.json', 'main').replies).toEqual({ maxAttempts: 2 })
  })

  it('without a verifier nothing is verified', () => {
    expect(repliesOfOpenclaw('{}', 'openclaw.json')).toEqual({ replies: false, judge: undefined })
  })

  it.each([
    ['{ agents: 1', undefined, 'not JSON'],
    ['{ "agents": { "defaults": { "verifier": { "maxAttempts": 0 } } } }', undefined, 'maxAttempts'],
    [text, 'nobody', 'no agent "nobody"; there are: main, ops, quiet'],
  ])('says what is wrong: %j', (given, agent, words) => {
    expect(() => repliesOfOpenclaw(given, 'openclaw.json', agent)).toThrow(UsageError)
    expect(() => repliesOfOpenclaw(given, 'openclaw.json', agent)).toThrow(words)
  })
})
