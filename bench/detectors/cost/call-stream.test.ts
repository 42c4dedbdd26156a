import { describe, expect, it } from 'vitest'
import { loopingCall, sampleCall } from './call-stream.ts'

const first = Array.from({ length: 5000 }, (_, index) => sampleCall(index))

describe('sample calls for measurements', () => {
  it('are the same at the same position', () => {
    expect(sampleCall(42)).toEqual(sampleCall(42))
  })

  it('never bring back a result, and repeat only the test', () => {
    expect(new Set(first.map(({ resultDigest }) => resultDigest)).size).toBe(5000)
    expect(new Set(first.map(({ argsDigest }) => argsDigest)).size).toBe(4501)
  })

  it('name a new tool in every tenth call', () => {
    expect(new Set(first.map(({ tool }) => tool)).size).toBe(501)
  })

  it('come back after three in a loop, counted on', () => {
    expect(loopingCall(7)).toEqual({ ...sampleCall(1), index: 7, turn: 7 })
  })
})
