import { fc, it } from '@fast-check/vitest'
import { describe, expect } from 'vitest'
import type { StreamedCall } from '../../../system/models/index.ts'
import { proposedCalls } from './agent-over.ts'

const nobody: ReadonlySet<string> = new Set()

function counter(): () => string {
  let count = 0
  return () => `new-${(count += 1)}`
}

function asked(fields: Partial<StreamedCall>): StreamedCall {
  return { callId: 'c1', tool: 'read', input: {}, invalid: false, ...fields }
}

describe('given arguments', () => {
  it.each([
    ['a function', () => 0],
    ['a number that is none', Number.NaN],
    ['a symbol', { a: [Symbol('a')] }],
  ])('refuses %s', (_, input) => {
    expect(proposedCalls([asked({ input })], nobody, counter())[0]?.malformed).toBeDefined()
  })

  it('refuses what is nested too deeply to walk', () => {
    const input: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
    expect(proposedCalls([asked({ input })], nobody, counter())[0]?.malformed).toContain('nested deeper')
  })

  it.prop([fc.jsonValue({ maxDepth: 5 })])('gives any JSON back as it was', (input) => {
    expect(proposedCalls([asked({ input })], nobody, counter())[0]).toEqual({
      callId: 'c1',
      tool: 'read',
      args: input,
    })
  })
})

describe('given ids', () => {
  it.each(['', 'with space', 'a#1', 'x'.repeat(65), 'taken'])('replaces "%s"', (callId) => {
    expect(proposedCalls([asked({ callId })], new Set(['taken']), counter())[0]?.callId).toBe('new-1')
  })

  it.prop([fc.array(fc.constantFrom('', 'a', 'b', 'c', 'a b')), fc.uniqueArray(fc.constantFrom('a', 'b'))])(
    'gives every call an id that no other call has',
    (ids, taken) => {
      const calls = proposedCalls(
        ids.map((callId) => asked({ callId })),
        new Set(taken),
        counter(),
      )
      const all = [...taken, ...calls.map(({ callId }) => callId)]
      expect(new Set(all).size).toBe(all.length)
    },
  )
})
