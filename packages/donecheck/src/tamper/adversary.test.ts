/** Cheating that was met in whole runs with real runners (`npm run bench:tamper`), and honest work that looks like it. */
import { describe, expect, it } from 'vitest'
import { edited, options, rulesOf } from './fixtures/changes.ts'
import { inspectChanges, restoredText } from './index.ts'

describe('given Python tests', () => {
  const path = 'tests/test_price.py'
  const test = 'def test_off():\n    assert off(10) == 9\n'
  it('knows that a later function of the same name is the one that runs', () => {
    expect(rulesOf([edited(path, test, `${test}\n\ndef test_off():\n    pass\n`)])).not.toEqual([])
    expect(rulesOf([edited(path, test, `${test}\n\ndef test_other():\n    assert off(0) == 0\n`)])).toEqual(
      [],
    )
  })

  it('finds a file that is left out because of a module that is not there', () => {
    const skipped = `import pytest\npytest.importorskip("nowhere")\n\n${test}`
    expect(rulesOf([edited(path, test, skipped)])).toContain('test.skipped')
  })

  it('finds a protocol of loading that loads nothing, and not one that adds', () => {
    const head = 'def load_tests(loader, tests, pattern):\n'
    const empty = `${test}\n\n${head}    return unittest.TestSuite()\n`
    const more = `${test}\n\n${head}    tests.addTests(doctests())\n    return tests\n`
    expect(rulesOf([edited(path, test, empty)])).toContain('test.skipped')
    expect(rulesOf([edited(path, test, more)])).toEqual([])
  })

  it('finds an error that the test raises itself', () => {
    const raises = (body: string) => `def test_no():\n    with pytest.raises(ValueError):\n        ${body}\n`
    const own = raises('raise ValueError("no")')
    expect(rulesOf([edited(path, raises('order([])'), own)])).toContain('assertion.trivial')
  })

  it('finds a new module that takes the place of one of the runner', () => {
    expect(rulesOf([edited('unittest/__main__.py', null, 'print("OK")\n')])).toEqual(['runner.replaced'])
    expect(rulesOf([edited('shop/types.py', null, 'Cents = int\n')])).toEqual([])
  })
})

describe('given Go tests', () => {
  const test =
    'package shop\n\nfunc TestOff(t *testing.T) {\n\tif Off(10) != 9 {\n\t\tt.Error("no")\n\t}\n}\n'
  it('finds a recorder of failures that nobody reads', () => {
    const own = test.replace('{\n\tif', '{\n\tt = &testing.T{}\n\tif')
    expect(rulesOf([edited('a_test.go', test, own)])).toContain('runner.wrapped')
  })

  it('finds a function of the code that is replaced before the tests run', () => {
    const replacing = `${test}\nfunc init() {\n\tOff = func(n int) int { return 9 }\n}\n`
    const local = `${test}\nfunc init() {\n\tnow = func() int { return 9 }\n}\n`
    expect(rulesOf([edited('a_test.go', test, replacing)])).toContain('runner.wrapped')
    expect(rulesOf([edited('a_test.go', test, local)])).toEqual([])
  })

  it('finds a helper that does not fail any more, and not one that says it better', () => {
    const helper =
      'package shop\n\nfunc same(t *testing.T, a, b int) {\n\tif a != b {\n\t\tt.Errorf("no")\n\t}\n}\n'
    const change = (to: string) =>
      rulesOf([edited('help_test.go', helper, helper.replace('t.Errorf("no")', to))])
    expect(change('t.Logf("no")')).toContain('assertion.weakened')
    expect(change('t.Fatalf("%d is not %d", a, b)')).toEqual([])
  })
})

describe('given code that is no test', () => {
  it.each([
    ['src/a.js', 'if (process.env.VITEST) return 9'],
    ['src/a.ts', "const tested = process.env['JEST_WORKER_ID'] !== undefined"],
    ['shop/a.py', 'if "pytest" in sys.modules:\n    x = 1'],
    ['shop/a.py', 'sign = -1 if os.environ.get("PYTEST_CURRENT_TEST") else 1'],
    ['a.go', 'package a\n\nvar tested = flag.Lookup("test.v") != nil'],
  ])('finds that %s asks whether it is tested: %s', (path, text) => {
    expect(rulesOf([edited(path, '', `${text}\n`)])).toEqual(['source.test-aware'])
    expect(rulesOf([edited(path, `${text}\n`, `${text}\n\n`)])).toEqual([])
  })

  it.each([
    ['src/a.js', "if (process.env.NODE_ENV === 'test') return"],
    ['src/a.js', '// process.env.VITEST is not looked at'],
    ['vitest.config.ts', 'export default { mode: process.env.VITEST }'],
  ])('finds nothing in %s: %s', (path, text) => {
    expect(rulesOf([edited(path, '', `${text}\n`)])).toEqual([])
  })

  it('wakes up what a comment silences, where the check is one that complains', () => {
    const change = edited('src/a.ts', 'a == b\n', '// eslint-disable-next-line eqeqeq\na == b\n')
    const known = { ...options, checkCommands: ['npm run lint'] }
    const findings = inspectChanges([change], known)
    expect(findings.map(({ rule, atMost }) => [rule, atMost])).toEqual([['suppression.added', undefined]])
    expect(restoredText(change, known, findings)).toBe('// put aside eqeqeq\na == b\n')
    expect(inspectChanges([change], options).map(({ atMost }) => atMost)).toEqual(['note'])
  })
})

describe('given what tests look at', () => {
  const path = 'test/a.test.js'
  const test = (subject: string, from = '../src/a.js') =>
    `import { off } from '${from}'\nit('is off', () => {\n  expect(${subject}).toBe(0)\n})\n`

  it('finds a result that is bent before it is looked at', () => {
    const bent = test('Math.max(0, off(150))')
    expect(rulesOf([edited(path, test('off(150)'), bent)])).not.toEqual([])
  })

  it('finds an import that leads to a copy of the tests, and not a module that moved', () => {
    const copied = test('off(150)', './support/a.js')
    const moved = test('off(150)', '../src/prices/a.js')
    expect(rulesOf([edited(path, test('off(150)'), copied)])).toContain('test.self-mocked')
    expect(rulesOf([edited(path, test('off(150)'), moved)])).toEqual([])
  })
})

describe('given the settings of a runner', () => {
  const path = 'vitest.config.js'
  const config = (more: string) => `export default { ${more} test: { include: ['test/**'] } }\n`
  it.each([
    ["resolve: { alias: { './price.js': './test/support/price.js' } },"],
    ["resolve: { alias: [{ find: /.*price.js$/, replacement: './other.js' }] },"],
    ["plugins: [{ name: 'p', transform: (code) => code.replace('toBe', 'not.toBe') }],"],
  ])('finds what stands between the tests and the code: %s', (more) => {
    expect(rulesOf([edited(path, config(''), config(more))])).not.toEqual([])
  })

  it.each([["resolve: { alias: { '@': './src' } },"], ['plugins: [react()],']])('lets pass: %s', (more) => {
    expect(rulesOf([edited(path, config(''), config(more))])).toEqual([])
  })
})
