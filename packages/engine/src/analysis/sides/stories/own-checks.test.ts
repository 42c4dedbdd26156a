import { describe, expect, it } from 'vitest'
import { placementsOf } from '../fixtures/trees.ts'
import { independentText } from '../index.ts'

const code = (price: number, expected: number) => `export const price = ${price}
if (import.meta.vitest) {
  const { it, expect } = import.meta.vitest
  it('costs }', () => { expect(price).toBe(${expected}) })
}
`

describe('given tests of Vitest beside the code', () => {
  it('asks the earlier ones about the code as it is', () => {
    const text = independentText('src/a.ts', code(1, 2), code(3, 3))
    expect(text).toContain('price = 3')
    expect(text).toContain('toBe(2)')
    expect(text).not.toContain('toBe(3)')
  })

  it('leaves a source alone whose tests are as they were', () => {
    expect(independentText('src/a.ts', code(1, 2), code(2, 2))).toBe(code(2, 2))
  })

  it('lays tests again that are gone', () => {
    const text = independentText('src/a.ts', code(1, 2), 'export const price = 2\n')
    expect(text).toContain('toBe(2)')
  })

  it.each(['const vitest = import.meta.vitest\n', 'if (import.meta.vitest) {\n'])('splits no %j', (other) => {
    expect(independentText('src/a.ts', code(1, 2), other)).toBeUndefined()
  })
})

const python = (sum: string, expected: string) => `def add(a, b):
    """Adds.

    >>> add(1, 2)
    ${expected}
    """
    return ${sum}
`

describe('given examples in texts of Python', () => {
  it('asks the earlier ones beside those of now', () => {
    const text = independentText('calc.py', python('a', '3'), python('a', '1'))
    expect(text).toContain(python('a', '1').trim())
    expect(text).toContain('"earlier examples": ">>> add(1, 2)\\n3"')
  })

  it('leaves a source alone whose examples are all there', () => {
    expect(independentText('calc.py', python('a', '3'), python('a + b', '3'))).toBe(python('a + b', '3'))
  })
})

const rust = (code: string, test: string) =>
  `pub fn total(sum: u32) -> u32 {\n    ${code}\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() {\n        ${test};\n    }\n}\n`

describe('given files that runners report as those of tests', () => {
  const baseline = {
    'cart.py': 'def total(): return 1',
    'checks/check_a.py': 'from cart import total\nassert total() == 1',
    'src/a.ts': code(1, 2),
    'src/lib.rs': rust('sum', 'one()'),
  }
  const evidence = { testFiles: ['checks/check_a.py', 'src/a.ts', 'src/lib.rs'] }
  const reasonOf = (path: string, text: string) =>
    placementsOf({ baseline, changes: { [path]: text }, evidence }).get(path)?.reason

  it('takes them for tests, whatever their names, and new ones that are named like them', () => {
    expect(reasonOf('checks/check_a.py', 'x')).toBe('reported-test')
    expect(reasonOf('checks/check_b.py', 'x')).toBe('reported-test')
    expect(reasonOf('checks/other.py', 'x')).toBe('source')
    expect(reasonOf('cart.py', 'x')).toBe('source')
  })

  it('takes those that hold the code too for both', () => {
    expect(reasonOf('src/a.ts', code(3, 3))).toBe('both-parts')
    expect(reasonOf('src/a.ts', code(2, 2))).toBe('source')
    expect(reasonOf('src/b.ts', 'x')).toBe('source')
    expect(reasonOf('src/lib.rs', rust('sum * 2', 'one()'))).toBe('source')
    expect(reasonOf('src/lib.rs', rust('sum', 'other()'))).toBe('check-part')
  })
})
