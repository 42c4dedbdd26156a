import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { placementsOf, sidesIn, treeOf, type Files } from '../fixtures/trees.ts'
import { isLoadedUnasked, filesReachedFrom, sideReasons } from '../index.ts'

const project: Files = {
  'package.json': '{"name": "a", "main": "index.js", "scripts": {"test": "node --test"}}',
  'index.js': "export * from './src/cart.js'",
  'src/cart.js': "import './money.js'",
  'src/money.js': 'x',
  'test/cart.test.js': "import '../src/cart.js'\nimport './help.js'",
  'test/help.js': "readFileSync('test/data/a.json')",
  'test/data/a.json': '{}',
  'tests/conftest.py': 'x',
}

describe('given changes that their names settle', () => {
  it('reads nothing', () => {
    const read: string[] = []
    const changes = Object.fromEntries(
      [
        'src/a.test.ts',
        'vitest.config.ts',
        '.npmrc',
        'package-lock.json',
        'README.md',
        '.github/workflows/ci.yml',
      ].map((path) => [path, 'x']),
    )
    placementsOf({ baseline: project, changes, protect: ['x/**'], onRead: (path) => read.push(path) })
    expect(read).toEqual([])
  })

  it('knows configuration by its name', () => {
    const shall = { 'tox.toml': 'check: configuration', pylintrc: 'check: configuration' }
    expect(sidesIn({ given: project, shall })).toEqual(shall)
  })

  it('reads of a source no more than the source and what says which scripts are run', () => {
    const read = new Set<string>()
    const changes = { 'src/money.js': 'y' }
    placementsOf({ baseline: project, changes, checkLines: ['npm test'], onRead: (path) => read.add(path) })
    expect([...read].toSorted()).toEqual(['package.json', 'src/money.js'])
  })
})

describe('given installed dependencies in the tree', () => {
  const given = { 'go.mod': 'module a', 'vendor/modules.txt': '', 'package.json': '{}' }
  it.each([
    ['node_modules/a/index.js', {}, 'check: installed-dependency'],
    ['node_modules/a/index.js', { 'package-lock.json': 'product: dependencies' }, 'product: dependencies'],
    [
      'node_modules/chai/index.js',
      { 'package-lock.json': 'product: dependencies' },
      'check: installed-dependency',
    ],
    ['vendor/b.com/c/d.go', {}, 'check: installed-dependency'],
    ['vendor/b.com/c/d.go', { 'go.sum': 'product: dependencies' }, 'product: dependencies'],
    [
      'vendor/github.com/stretchr/testify/assert/a.go',
      { 'go.sum': 'product: dependencies' },
      'check: installed-dependency',
    ],
  ])('%s, with %j, is %s', (path, others, side) => {
    const shall = { ...others, [path]: side }
    expect(sidesIn({ given, shall })).toEqual(shall)
  })
})

describe('given globs of the user', () => {
  it('puts what they fit on the check files, whatever it is', () => {
    const placements = placementsOf({ baseline: project, changes: { 'src/cart.js': 'y' }, protect: ['src/'] })
    expect(placements.get('src/cart.js')).toMatchObject({ side: 'check', reason: 'named-by-user' })
  })
})

describe('given scripts of checks that read in more', () => {
  it('follows them to files that were not there', () => {
    const given = {
      'check.sh': '. ./lib.inc',
      'lib.inc': '. ./deep.inc\n[ ! -f local.inc ] || . ./local.inc',
      'deep.inc': 'x',
    }
    const shall = {
      'lib.inc': 'check: check-script',
      'deep.inc': 'check: check-script',
      'local.inc': 'check: check-script',
    }
    expect(sidesIn({ given, shall, checkLines: ['./check.sh'] })).toEqual(shall)
  })

  it.each(['sh check.md', '/bin/sh <check.md'])(
    'takes what `%s` runs for a script, whatever its name',
    (line) => {
      const shall = { 'check.md': 'check: check-script' }
      expect(sidesIn({ given: { 'check.md': 'x' }, shall, checkLines: [line] })).toEqual(shall)
    },
  )
})

describe('given a test', () => {
  it('finds what it reaches', () => {
    expect([...filesReachedFrom('test/cart.test.js', treeOf(project))].toSorted()).toEqual([
      'src/cart.js',
      'src/money.js',
      'test/cart.test.js',
      'test/data/a.json',
      'test/help.js',
    ])
  })
})

describe('given an ignored file', () => {
  it.each([
    ['.env', true],
    ['a/.env.test', true],
    ['conftest.py', true],
    ['x.egg-info/entry_points.txt', true],
    ['.venv/lib/python3.12/site-packages/x.pth', true],
    ['local.mk', true],
    ['__pycache__/a.cpython-312.pyc', true],
    ['node_modules/a/vitest.config.ts', false],
    ['dist/index.js', false],
    ['.env.example', false],
  ])('%s is loaded unasked: %s', (path, isLoaded) => {
    expect(isLoadedUnasked(path)).toBe(isLoaded)
  })
})

describe('given any tree', () => {
  const path = fc.constantFrom(
    ...'a.js a.test.js test/b.js test/b.json c.py tests/test_c.py conftest.py d.go d_test.go src/lib.rs'.split(
      ' ',
    ),
    ...'src/tests.rs check.sh Makefile package.json Cargo.toml cases/x.txt x.json a/index.js c/__init__.py'.split(
      ' ',
    ),
  )
  const text = fc
    .array(
      fc.constantFrom(
        ...[
          "import './a.js'",
          "require('./test/b')",
          'import c',
          'from . import x',
          'mod tests;',
          '#[cfg(test)]',
          'sh check.sh',
          'include x.mk',
        ],
        ...[
          "'cases'",
          'x.json',
          '. ./check.sh',
          '{"scripts": {"test": "sh check.sh"}}',
          '\ttest:',
          '\t\tmake',
          'import "testing"',
          '\n',
        ],
      ),
      { maxLength: 5 },
    )
    .map((parts) => parts.join('\n'))
  const files = fc.dictionary(path, text)
  const changes = fc.dictionary(path, fc.option(text))
  const checkLines = fc.array(
    fc.constantFrom('npm test', 'make', 'sh check.sh', 'node a.js', 'pytest tests', 'cat x.json'),
    { maxLength: 2 },
  )

  it('every change stands on one side for a reason of the table, always the same', () => {
    fc.assert(
      fc.property(files, changes, checkLines, (baseline, changed, lines) => {
        const placements = placementsOf({ baseline, changes: changed, checkLines: lines })
        expect([...placements.keys()]).toEqual(Object.keys(changed))
        for (const { reason, because } of placements.values()) {
          expect(sideReasons).toHaveProperty([reason])
          expect(because).not.toBe('')
        }
        expect(placementsOf({ baseline, changes: changed, checkLines: lines })).toEqual(placements)
      }),
      { numRuns: 200 },
    )
  })

  it('a file that has nothing to do with it changes nothing', () => {
    fc.assert(
      fc.property(files, changes, checkLines, (baseline, changed, lines) => {
        const sides = (given: Files) => [
          ...placementsOf({ baseline: given, changes: changed, checkLines: lines }),
        ]
        expect(sides({ ...baseline, 'unrelated/other.txt': 'nothing' })).toEqual(sides(baseline))
      }),
      { numRuns: 100 },
    )
  })

  it.each([
    '"',
    "'",
    '`',
    '/*',
    '\\',
    '(',
    'import ',
    'from x import (',
    '[',
    '{"a":',
    'a/',
    '$(',
    '"a" ',
    "'./a'\n",
    '*',
    '#[',
    '. x;',
  ])('a long text of %j is read to its end', (unit) => {
    const long = unit.repeat(50_000 / unit.length)
    const names = ['a.js', 'test/b.py', 'test/d.go', 'src/lib.rs', 'check.sh', 'package.json', 'Makefile']
    const baseline = Object.fromEntries(names.map((name) => [name, long]))
    const placements = placementsOf({
      baseline,
      changes: { 'test/b.py': 'x', 'x.json': 'x' },
      checkLines: ['sh check.sh', 'make'],
    })
    expect(placements.size).toBe(2)
  })
})
