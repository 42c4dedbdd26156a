import { describe, expect, it } from 'vitest'
import { blockEndsOf } from './sought-file.ts'

describe('given lines', () => {
  it.each([
    ['a block by indentation', ['def f:', '  a', '', '  b', 'def g:'], [4, 3, 4, 4, 5]],
    ['brackets of their own', ['void f()', '{', '  a', '}', 'void g()'], [4, 4, 4, 4, 5]],
    ['several lines of a head', ['def f(', '    a,', ') -> int:', '    b', 'x'], [4, 3, 4, 4, 5]],
    ['tabs', ['\tif', '\t\ta', '    else', 'x'], [2, 2, 3, 4]],
    ['none', [], []],
  ])('knows where each block ends: %s', (_, lines, ends) => {
    expect(blockEndsOf(lines)).toEqual(ends)
  })
})
