import { AssertionError } from 'node:assert'
import { describe, expect, it } from 'vitest'
import { assertMatches } from './given.ts'

interface Shape {
  readonly kind: string
  readonly deep?: { readonly count: number; readonly name: string }
  readonly list: readonly string[]
}

const shape: Shape = { kind: 'stop', deep: { count: 2, name: 'x' }, list: ['a', 'b'] }

describe('given some fields of what is expected', () => {
  it('holds where they are equal, whatever the others are', () => {
    assertMatches(shape, {})
    assertMatches(shape, { kind: 'stop', deep: { count: 2 } })
    assertMatches(shape, { list: ['a', 'b'] })
  })

  it.each<[string, Parameters<typeof assertMatches<Shape>>[1]]>([
    ['kind', { kind: 'go' }],
    ['deep.count', { deep: { count: 3, name: 'x' } }],
    ['list', { list: ['a'] }],
    ['list', { list: ['b', 'a'] }],
  ])('names the place %s where they differ', (place, expected) => {
    expect(() => assertMatches(shape, expected)).toThrow(AssertionError)
    expect(() => assertMatches(shape, expected)).toThrow(`differs at ${place}\n`)
  })

  it('takes undefined for absent', () => {
    const { kind, list } = shape
    assertMatches<Shape>({ kind, list }, { deep: undefined })
    expect(() => assertMatches(shape, { deep: undefined })).toThrow('differs at deep')
  })

  it('does not take an absent object for an empty one', () => {
    const { kind, list } = shape
    expect(() => assertMatches<Shape>({ kind, list }, { deep: {} })).toThrow('differs at deep')
  })

  it('shows both sides', () => {
    expect(() => assertMatches(shape, { kind: 'go' })).toThrow(/"kind": "go"[^]*"kind": "stop"/)
  })
})
