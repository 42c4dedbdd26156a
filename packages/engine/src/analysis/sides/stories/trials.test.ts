import { describe, expect, it } from 'vitest'
import { placementsOf, type Files } from '../fixtures/trees.ts'

const trialOf = (baseline: Files, path: string, checkLines: readonly string[] = []) =>
  placementsOf({ baseline, changes: { [path]: 'x' }, checkLines }).get(path)?.trial

const javascript = {
  'src/cart.js': 'export const total = () => 1',
  'src/same.js': "export const same = (a, b) => { if (a !== b) throw new Error('differs') }\n",
  'test/cart.test.js':
    "import { same } from '../src/same.js'\nimport { total } from '../src/cart.js'\nsame(total([1]), 1)\n",
}
const asking = (line: string, call: string): Files => ({
  ...javascript,
  'test/cart.test.js': `${line}\nimport { total } from '../src/cart.js'\ntest('a', () => { ${call} })\n`,
})
const python = {
  'shop/cart.py': 'def total(): return 90',
  'shop/testing.py': 'def assert_price(found, wanted):\n    assert found == wanted\n',
  'tests/test_cart.py':
    'from shop.cart import total\nfrom shop.testing import assert_price\ndef test_a():\n    assert_price(total(), 90)\n',
}

describe('given an earlier source that tests call for nothing but its complaint', () => {
  it.each<readonly [string, Files, string]>([
    ['JavaScript', javascript, 'src/same.js'],
    ['Python', python, 'shop/testing.py'],
    [
      'a predicate about what another call returned',
      {
        'near.py': 'def near(a, b):\n    return abs(a - b) <= 1\n',
        'test_a.py': 'from near import near\nfrom far import f\nassert near(f(), 1)\n',
        'far.py': '',
      },
      'near.py',
    ],
    [
      'by a link beside the tests',
      {
        'src/judge.js': javascript['src/same.js'],
        'test/it.js': '../src/judge.js',
        'test/a.test.js': "import { same } from './it.js'\nimport { f } from '../src/f.js'\nsame(f(), 1)\n",
        'src/f.js': '',
      },
      'src/judge.js',
    ],
    [
      'under another name',
      asking("import { same as eq } from '../src/same.js'", 'eq(total(1), 3)'),
      'src/same.js',
    ],
    [
      'as a whole',
      {
        ...asking("import eq from '../src/eq.js'", 'eq(total(1), 3)'),
        'src/eq.js': 'export default (a, b) => { if (a !== b) throw 1 }\n',
      },
      'src/eq.js',
    ],
    [
      'by a method',
      {
        ...asking("import { check } from '../src/check.js'", 'check(total(1)).is(3)'),
        'src/check.js': 'export const check = (a) => ({ is(b) { if (a !== b) throw 1 } })\n',
      },
      'src/check.js',
    ],
    [
      'by a file that hands it on',
      {
        ...asking("import { same } from '../src/kit/index.js'", 'same(total(1), 3)'),
        'src/kit/index.js': "export * from './judge.js'",
        'src/kit/judge.js': javascript['src/same.js'],
      },
      'src/kit/judge.js',
    ],
    [
      'by a test that only what it imports gives away',
      {
        'cart.py': 'def total(): return 90',
        'checks/same.py': 'def same(a, b):\n    assert a == b\n',
        'checks/check_cart.py':
          'import unittest\nfrom same import same\nfrom cart import total\nsame(total(), 90)\n',
      },
      'checks/same.py',
    ],
    [
      'a library of a shell',
      {
        'lib/a.sh': 'same() { [ "$1" = "$2" ]; }\n',
        'tests/run.sh': '. lib/a.sh\nsame "$(bin/f)" 8\n',
        'bin/f': '',
      },
      'lib/a.sh',
    ],
  ])('only an experiment tells whether it judges: %s', (_, files, path) => {
    expect(trialOf(files, path)).toMatchObject({ kind: 'judges', path })
  })

  it.each<readonly [string, Files]>([
    ['its value is used', { 'test/cart.test.js': "import '../src/same.js'\nequal(same(1, 2), 3)\n" }],
    [
      'its value is used elsewhere',
      { 'test/more.test.js': "import '../src/same.js'\nconst a = same(1, 2)\n" },
    ],
    [
      'tests ask about nothing else',
      { 'test/cart.test.js': "import { same } from '../src/same.js'\nsame(Number('1'), 1)\n" },
    ],
    ['it cannot complain', { 'src/same.js': 'export const same = (a, b) => a + b\n' }],
    [
      'no test names it',
      {
        'test/cart.test.js': "import { same } from 'same-as'\nsame(f(), 1)\n",
        'src/other.js': javascript['src/same.js'],
        'src/same.js': '',
      },
    ],
  ])('is the product if %s', (_, files) => {
    expect(trialOf({ ...javascript, ...files }, 'src/same.js')).toBeUndefined()
  })

  it('silences its functions and leaves the rest', () => {
    const text = trialOf(javascript, 'src/same.js')?.text
    expect(text).toContain('export let same = (a, b)')
    expect(text).toContain('same = silent_;')
    expect(trialOf(python, 'shop/testing.py')?.text).toContain('globals()[name_] = Silent_()')
  })
})

describe('given a new module of Python with the name of one of the checks', () => {
  const files = {
    'tests/helpers.py': 'def same(a, b): assert a == b',
    'tests/test_cart.py': 'from helpers import same',
    'cart.py': 'x',
  }
  it('only an experiment tells whether it is found first', () => {
    expect(trialOf(files, 'compat/helpers.py')).toMatchObject({ kind: 'shadows', path: 'tests/helpers.py' })
    expect(trialOf(files, 'helpers/__init__.py')).toMatchObject({ kind: 'shadows' })
  })
  it('is the product if no test means such a module', () => {
    expect(
      trialOf({ ...files, 'tests/test_cart.py': 'from .helpers import same' }, 'compat/helpers.py'),
    ).toBeUndefined()
    expect(trialOf(files, 'compat/other.py')).toBeUndefined()
  })
})
