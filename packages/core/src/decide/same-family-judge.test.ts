import { parseEvent } from '../events/index.ts'
import type { ReplyCheckSettings } from '../events/settings/index.ts'
import { describe, expect, it } from 'vitest'
import { given, runStarted } from '../testing/index.ts'
import { goalSet } from '../testing/facts.ts'
import { sameFamilyJudge } from './same-family-judge.ts'

const replyCheck: ReplyCheckSettings = {
  maxAttempts: 3,
  trigger: 'all',
  onUndecided: 'deliver',
  messagingTools: [],
  streams: false,
  delivers: true,
  verifies: true,
  families: ['gpt'],
}

function noticed(families: readonly string[], agent: string) {
  const judge = { name: 'judge', deterministic: false, families }
  const start = runStarted({ verifiers: ['tests', judge], agent: { name: agent } })
  return sameFamilyJudge(given(start, goalSet()).state)
}

describe('given a judge and an agent', () => {
  it('tells that they are of one family', () => {
    const finding = noticed(['gpt', 'claude'], 'anthropic/claude-opus-4-5')
    expect(finding).toMatchObject({ rule: 'kindred-judge', level: 'warn' })
    expect(finding?.message).toMatch(/^judge judges with a model of the same family as the agent \(claude\)/)
  })

  it('tells it of the judge of replies too, whose families are on record', () => {
    const started = (name: string) => given(runStarted({ replyCheck, agent: { name } }), goalSet())
    expect(sameFamilyJudge(started('openai/gpt-5').state)?.message).toMatch(
      /^the judge of replies judges with/,
    )
    expect(sameFamilyJudge(started('anthropic/claude-opus-4-5').state)).toBeUndefined()
    const [first] = started('openai/gpt-5').events
    expect(parseEvent(JSON.parse(JSON.stringify(first)))).toEqual({ kind: 'event', event: first })
  })

  it.each([
    [['gpt'], 'anthropic/claude-opus-4-5'],
    [['gpt'], 'openai-compatible/tiny'],
    [[], 'openai/gpt-5'],
  ])('says nothing of %j and %s', (families, agent) => {
    expect(noticed(families, agent)).toBeUndefined()
  })
})
