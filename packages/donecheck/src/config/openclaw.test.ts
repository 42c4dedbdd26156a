import { describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'
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
  it('reads the defaults as they stand', async () => {
    expect(await repliesOfOpenclaw(text, 'openclaw.json')).toEqual({
      replies: { maxAttempts: 2 },
      judge: { models: ['anthropic/claude-haiku-4-5'], timeoutSeconds: 15 },
    })
  })

  it('the keys of an agent go before them, one by one', async () => {
    expect((await repliesOfOpenclaw(text, 'openclaw.json', 'ops')).replies).toEqual({
      all: true,
      heartbeat: true,
      maxAttempts: 2,
      keywords: ['shipped'],
    })
    expect((await repliesOfOpenclaw(text, 'openclaw.json', 'quiet')).replies).toBe(false)
    expect((await repliesOfOpenclaw(text, 'openclaw.json', 'main')).replies).toEqual({ maxAttempts: 2 })
  })

  it('is JSON5: names without quotes, single quotes, numbers and lines as JavaScript has them', async () => {
    const loose = `{ agents: { defaults: { verifier: {
      enabled: true, model: 'google/gemini-2.5-flash', /* seconds */ timeoutSeconds: +20., maxAttempts: 0x2,
    } } }, note: 'goes \\\non', __proto__: { enabled: false } }`
    expect(await repliesOfOpenclaw(loose, 'openclaw.json')).toEqual({
      replies: { maxAttempts: 2 },
      judge: { models: ['google/gemini-2.5-flash'], timeoutSeconds: 20 },
    })
  })

  it('without a verifier nothing is verified', async () => {
    expect(await repliesOfOpenclaw('{}', 'openclaw.json')).toEqual({ replies: false, judge: {} })
  })

  it('a time limit holds without a model', async () => {
    const alone = '{ agents: { defaults: { verifier: { enabled: true, timeoutSeconds: 5 } } } }'
    expect((await repliesOfOpenclaw(alone, 'openclaw.json')).judge).toEqual({ timeoutSeconds: 5 })
  })

  it.each([
    ['{ agents: 1', undefined, 'openclaw.json is not JSON5: JSON5: invalid end of input at 1:12'],
    ['', undefined, 'not JSON5'],
    ['{ "agents": { "defaults": { "verifier": { "maxAttempts": 0 } } } }', undefined, 'maxAttempts'],
    [text, 'nobody', 'no agent "nobody"; there are: main, ops, quiet'],
  ])('says what is wrong: %j', async (given, agent, words) => {
    await expect(repliesOfOpenclaw(given, 'openclaw.json', agent)).rejects.toThrow(UsageError)
    await expect(repliesOfOpenclaw(given, 'openclaw.json', agent)).rejects.toThrow(words)
  })
})
