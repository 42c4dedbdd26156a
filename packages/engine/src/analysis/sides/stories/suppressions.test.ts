import { describe, expect, it } from 'vitest'
import { placementsOf } from '../fixtures/trees.ts'
import { independentText } from '../index.ts'

const reasonOf = (path: string, before: string, after: string) =>
  placementsOf({ baseline: { [path]: before }, changes: { [path]: after } }).get(path)?.reason

describe('given a source that tells a checker to look away', () => {
  it.each([
    ['a.js', 'f(x)\n', '// eslint-disable-next-line eqeqeq\nf(x == 1)\n', '\nf(x == 1)\n'],
    ['a.js', 'f(x)\n', 'f(x == 1) // eslint-disable-line\n', 'f(x == 1) \n'],
    ['a.js', 'f()\n', '/* eslint-disable */ f()\n', ' f()\n'],
    ['a.js', 'f(x)\n', '/* global y */\nf(y)\n', '\nf(y)\n'],
    ['a.js', 'f(x)\n', '/* eslint no-undef: 0 */\nf(y)\n', '\nf(y)\n'],
    ['a.ts', 'f()\n', '// @ts-nocheck\nf()\n', '\nf()\n'],
    ['a.ts', 'f()\n', '/* c8 ignore next */\nf()\n', '\nf()\n'],
    ['a.ts', '  return x\n', '  return x as any\n', '  return x\n'],
    ['a.py', 'f()\n', 'f()  # type: ignore[arg-type]\n', 'f()  \n'],
    ['a.py', 'import a\n', 'import a  # noqa: F401\n', 'import a  \n'],
    ['a.go', 'f()\n', 'f() //nolint:errcheck\n', 'f() \n'],
    ['a.rs', 'fn f() {}\n', '#[allow(dead_code)]\nfn f() {}\n', '\nfn f() {}\n'],
  ])('in %s, %j is put back from %j', (path, before, after, independent) => {
    expect(reasonOf(path, before, after)).toBe(path.endsWith('.rs') ? 'both-parts' : 'silences-a-checker')
    expect(independentText(path, before, after)).toBe(independent)
  })

  it.each([
    [
      'a.js',
      '// eslint-disable-next-line eqeqeq\nf(x == 1)\n',
      '// eslint-disable-next-line eqeqeq\nf(x == 2)\n',
    ],
    ['a.js', '// @ts-ignore\nf()\n', 'f()\n'],
    ['a.js', 'f()\n', "f('eslint-disable')\n"],
    ['a.js', 'f()\n', '// the linter is right here\nf()\n'],
    ['a.ts', 'f()\n', 'g(window as any)\n'],
    ['a.py', 'a = b  # noqa\n', 'a = c  # noqa\n'],
    ['a.rs', '#[allow(dead_code)]\nfn f() {}\n', '#[allow(dead_code)]\nfn g() {}\n'],
  ])('in %s, a change of %j to %j stays with the product', (path, before, after) => {
    expect(reasonOf(path, before, after)).toBe('source')
    expect(independentText(path, before, after)).toBe(after)
  })

  it('puts back as many as are new, and no more', () => {
    const line = 'f() // @ts-ignore\n'
    expect(independentText('a.ts', line, line + line)).toBe(`${line}f() \n`)
  })

  it('a new source is put back without them', () => {
    expect(independentText('a.ts', null, '// @ts-nocheck\nf()\n')).toBe('\nf()\n')
  })
})
