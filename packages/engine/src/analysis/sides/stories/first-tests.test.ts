import { describe, expect, it } from 'vitest'
import { areTestsNew } from '../place-changes.ts'
import { treeOf } from '../fixtures/trees.ts'

const manifest = (test?: string) =>
  JSON.stringify({ name: 'x', ...(test === undefined ? {} : { scripts: { test } }) })
const product = { 'src/sum.js': 'export const sum = (a, b) => a + b' }
const test = { 'test/sum.test.js': "import '../src/sum.js'" }

describe('given a check whose tests were written in this run', () => {
  it.each([
    ['a script that is missing', manifest(), manifest('node --test')],
    [
      'the script of npm init',
      manifest('echo "Error: no test specified" && exit 1'),
      manifest('node --test'),
    ],
    ['a runner that found none', manifest('vitest run'), manifest('vitest run')],
  ])('knows that there was no test: %s', (_, before, after) => {
    const baseline = treeOf({ ...product, 'package.json': before })
    const delivered = treeOf({ ...product, ...test, 'package.json': after })
    expect(areTestsNew('npm test', baseline, delivered)).toBe(true)
  })

  it('knows a test file that the check names', () => {
    const baseline = treeOf({ ...product, 'package.json': manifest('node test.js') })
    const delivered = treeOf({ ...product, 'package.json': manifest('node test.js'), 'test.js': '1' })
    expect(areTestsNew('npm test', baseline, delivered)).toBe(true)
    expect(areTestsNew('node test.js', baseline, delivered)).toBe(true)
  })

  it('does not take an empty file for a test', () => {
    const baseline = treeOf({ 'calc/sum.py': 'x = 1', 'tests/__init__.py': '' })
    const delivered = treeOf({ 'calc/sum.py': 'x = 1', 'tests/__init__.py': '', 'tests/test_sum.py': 'x' })
    expect(areTestsNew('python3 -m pytest', baseline, delivered)).toBe(true)
  })

  it('knows a recipe that was added beside others', () => {
    const baseline = treeOf({ Makefile: 'build:\n\tgo build ./...\n' })
    const delivered = treeOf({ Makefile: 'build:\n\tgo build ./...\n\ntest:\n\tgo test ./...\n' })
    expect(areTestsNew('make test', baseline, delivered)).toBe(true)
  })
})

describe('given a check that asked something before', () => {
  it.each([
    ['by a test', 'npm test', { 'package.json': manifest('node --test'), ...test }],
    [
      'by a helper beside tests',
      'npm test',
      { 'package.json': manifest('node test/all.js'), 'test/all.js': '1' },
    ],
    [
      'by data that a recipe compares',
      'make test',
      { Makefile: 'test:\n\tdiff test/cases/a.out build/a.out\n', 'test/cases/a.out': '1' },
    ],
    ['by a script of its own', 'sh check.sh', { 'check.sh': 'grep -q done work.txt' }],
    ['by a script of its own that was yet to be written', './check.sh', {}],
    [
      'by a script that its script starts',
      'npm test',
      { 'package.json': manifest('node verify.js'), 'verify.js': '1' },
    ],
    ['by a script that is another now', 'npm test', { 'package.json': manifest('tsc && eslint .') }],
  ])('says that it did: %s', (_, line, files) => {
    const baseline = treeOf({ ...product, ...files })
    const delivered = treeOf({
      ...product,
      'check.sh': 'exit 0',
      ...files,
      'package.json': manifest('node --test'),
      'new.test.js': '1',
    })
    expect(areTestsNew(line, baseline, delivered)).toBe(false)
  })
})
