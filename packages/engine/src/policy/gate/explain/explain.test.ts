import { describe, expect, it } from 'vitest'
import { explain, underlineSpan } from './explain.ts'

const match = {
  rule: 'prefix_rule git push',
  decision: 'prompt',
  source: 'user rules default.rules:3',
  words: ['git', 'push'],
  span: [6, 14],
  justification: 'others see it',
} as const

describe('given a decision', () => {
  it('says why, and where in the line', () => {
    const decision = { kind: 'prompt', label: 'approval_required', reason: 'ask', matches: [match] } as const
    expect(explain(decision, 'ls && git push x')).toEqual([
      'prompt (approval_required): ask',
      '',
      'prompt  prefix_rule git push  (user rules default.rules:3)',
      '  because others see it',
      '  ls && git push x',
      '        ^^^^^^^^',
    ])
  })

  it('tells of watching, of leaving the sandbox, and of what could be kept', () => {
    const amendment = { prefix: ['npm', 'ci'] }
    expect(
      explain({ kind: 'allow', reason: 'watched', shadow: 'forbidden', outsideSandbox: true, amendment }),
    ).toEqual([
      'allow: watched',
      'only watched: it would have been forbidden',
      'outside of the sandbox',
      '',
      'could be kept: allow ["npm","ci"]',
    ])
  })

  it('shows the line of a longer script in which the words begin', () => {
    expect(underlineSpan('a\n\tgit push\nb', [3, 12])).toEqual([' git push', ' ^^^^^^^^'])
    expect(underlineSpan('', [0, 0])).toEqual(['', '^'])
  })
})
