import { describe, expect, it } from 'vitest'
import { given, runStarted } from '../testing/index.ts'
import { goalSet } from '../testing/facts.ts'
import { sameFamilyJudge } from './same-family-judge.ts'

function noticed(families: readonly string[], drive: string) {
  const judge = { name: 'judge', deterministic: false, families }
  const start = runStarted({ verifiers: ['tests', judge], drive: { name: drive } })
  return sameFamilyJudge(given(start, goalSet()).state)
}

describe('given a judge and a drive', () => {
  it('tells that they are of one family', () => {
    const finding = noticed(['gpt', 'claude'], 'anthropic/claude-opus-4-5')
    expect(finding).toMatchObject({ rule: 'kindred-judge', level: 'warn' })
    expect(finding?.message).toMatch(/^judge judges with a model of the same family as the drive \(claude\)/)
  })

  it.each([
    [['gpt'], 'anthropic/claude-opus-4-5'],
    [['gpt'], 'openai-compatible/tiny'],
    [[], 'openai/gpt-5'],
  ])('says nothing of %j and %s', (families, drive) => {
    expect(noticed(families, drive)).toBeUndefined()
  })
})
