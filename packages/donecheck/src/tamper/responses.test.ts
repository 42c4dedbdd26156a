import { describe, expect, it } from 'vitest'
import { options } from './fixtures/changes.ts'
import { defaultResponses, responseTo, tamperRules, whyOf } from './index.ts'

describe('given a rule', () => {
  it.each(tamperRules)('%s has a response and a reason', (rule) => {
    expect(['refuse', 'restore']).toContain(defaultResponses[rule])
    expect(whyOf(rule)).toMatch(/^[A-Z].*\.$/u)
  })

  it('is answered with a note where it is usual or its path is free', () => {
    const finding = { rule: 'ci.weakened', path: '.github/workflows/ci.yml', message: 'x' } as const
    expect(responseTo(finding, defaultResponses, options)).toBe('refuse')
    expect(responseTo({ ...finding, atMost: 'note' }, defaultResponses, options)).toBe('note')
    expect(responseTo(finding, defaultResponses, { ...options, mayChange: ['.github/**'] })).toBe('note')
  })

  it('about the rules of the run themselves is always refused', () => {
    const finding = { rule: 'config.donecheck-changed', path: 'donecheck.config.ts', message: 'x' } as const
    const responses = { ...defaultResponses, 'config.donecheck-changed': 'note' } as const
    expect(responseTo(finding, responses, options)).toBe('refuse')
    expect(responseTo(finding, responses, { ...options, mayChange: ['**'] })).toBe('refuse')
    expect(responseTo({ ...finding, atMost: 'note' }, responses, options)).toBe('refuse')
  })
})
