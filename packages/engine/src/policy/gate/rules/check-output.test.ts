import { describe, expect, it } from 'vitest'
import { checkOutput } from './check-output.ts'
import { matchPrefixRules } from './match/match-prefix-rules.ts'
import { prefixRule } from './typed-rules.ts'

const rules = [
  prefixRule({ pattern: ['git'] }),
  prefixRule({ pattern: ['git', ['push', 'fetch']], decision: 'forbidden', justification: 'ask first' }),
]

const shown = (words: readonly string[]) =>
  JSON.stringify(checkOutput(matchPrefixRules(rules, words, { resolveHostExecutables: true })))

describe('given one command', () => {
  it('the answer is written as the reference writes it', () => {
    expect(shown(['git', 'push', 'x'])).toBe(
      '{"matchedRules":[{"prefixRuleMatch":{"matchedPrefix":["git"],"decision":"allow"}},' +
        '{"prefixRuleMatch":{"matchedPrefix":["git","push"],"decision":"forbidden","justification":"ask first"}}],"decision":"forbidden"}',
    )
  })

  it('a program that was found by its name is told', () => {
    expect(shown(['/usr/bin/git'])).toBe(
      '{"matchedRules":[{"prefixRuleMatch":{"matchedPrefix":["git"],"decision":"allow","resolvedProgram":"/usr/bin/git"}}],"decision":"allow"}',
    )
  })

  it('without a match there is no decision', () => {
    expect(shown(['ls'])).toBe('{"matchedRules":[]}')
  })
})
