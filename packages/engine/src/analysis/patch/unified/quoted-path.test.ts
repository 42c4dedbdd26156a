import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quotePath, readQuotedPath } from './quoted-path.ts'

describe('given a name in a diff', () => {
  it('stands as it is, where it can', () => {
    expect(quotePath('a/b c.txt')).toBe('a/b c.txt')
  })

  it('stands in quotes where it must, as git has it', () => {
    expect(quotePath('é"\\\n')).toBe('"\\303\\251\\"\\\\\\n"')
  })

  it('comes back from its quotes', () => {
    const name = fc.string({ unit: 'grapheme' }).filter((text) => quotePath(text).startsWith('"'))
    fc.assert(
      fc.property(name, fc.constantFrom('', '\t2026', ' "b"'), (path, rest) => {
        expect(readQuotedPath(quotePath(path) + rest)).toEqual({ path, rest })
      }),
    )
  })

  it.each(['"', '"a', '"\\x"', '"\\400"', '"\\377"'])(
    'is nothing where the quotes are broken: %s',
    (text) => {
      expect(readQuotedPath(text)).toBeUndefined()
    },
  )
})
