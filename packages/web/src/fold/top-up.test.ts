import { describe, expect, it } from 'vitest'
import { readTopUp } from './top-up.ts'

describe('given a top-up as it is typed', () => {
  it.each([
    ['', undefined],
    ['turns=45', { turns: 45 }],
    ['cost-usd=0.5, tokens=20000', { 'cost-usd': 0.5, tokens: 20_000 }],
  ])('reads "%s"', (typed, topUp) => {
    expect(readTopUp(typed)).toEqual({ kind: 'top-up', topUp })
  })

  it.each(['turns', 'turns=', 'turns=-1', 'wishes=3', 'tokens=many'])('asks again for "%s"', (typed) => {
    const read = readTopUp(typed)
    expect(read.kind === 'unreadable' && read.message).toContain(`"${typed}"`)
  })
})
