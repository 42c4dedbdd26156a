import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deedsOfLine } from './deeds.ts'
import {
  lastEditOf,
  noWorkRecord,
  withRanCall,
  withTreeSeen,
  type RanCall,
  type WorkRecord,
} from './work-record.ts'

interface Ran extends Partial<RanCall> {
  readonly line: string
}

const passes = '=== 2 passed in 0.1s ==='
const fails = 'FAILED tests/test_a.py::test_long_name - no\n=== 1 failed in 0.1s ==='

/** One call after the other; the sequence numbers begin with 1. */
function after(...lines: readonly (string | Ran)[]): WorkRecord {
  return lines.reduce<WorkRecord>((record, one, at) => {
    const { line, ...rest } = typeof one === 'string' ? { line: one } : one
    const unknown = { failed: undefined, output: '', argsText: `"${line}"`, changedNothing: false }
    return withRanCall(record, { ...unknown, sequence: at + 1, deeds: deedsOfLine(line), ...rest })
  }, noWorkRecord)
}

describe('given calls', () => {
  it('remembers the last edit and the last tests that passed', () => {
    const record = after(
      `sed -i s/a/b/ a.py`,
      { line: 'pytest', output: passes },
      { line: 'pytest', output: fails },
    )
    expect(record).toMatchObject({
      lastEdit: 1,
      lastPassedTests: 2,
      lastTests: 3,
      testResult: 'failed',
      calls: 3,
    })
  })

  it('an edit that says that it changed nothing is none', () => {
    expect(after({ line: 'sed -i s/a/b/ a.py', changedNothing: true }).lastEdit).toBeNull()
  })

  it('a script that was only there to be run is no edit, and neither is taking it away', () => {
    const record = after('cat > x.py <<E\n1\nE', 'python x.py', 'rm x.py')
    expect(lastEditOf(record)).toBeNull()
    expect(record.ownRun).toEqual({ sequence: 2, failed: false })
    expect(lastEditOf(after('cat > x.py <<E\n1\nE'))).toBe(1)
    expect(lastEditOf(after('rm a.py'))).toBe(1)
  })

  it('a script that writes files is the way in which an edit was made', () => {
    const record = after(`cat > x.py <<E\nopen('a.py', 'w').write('')\nE`, 'python x.py')
    expect([lastEditOf(record), record.ownRun]).toEqual([2, null])
  })

  it('tests that it wrote itself are its own, also by the name of their module', () => {
    const own = after('cat > tests/test_mine.py <<E\n1\nE', {
      line: 'pytest tests/test_mine.py',
      output: passes,
    })
    expect([own.lastTests, own.ownRun?.sequence]).toEqual([null, 2])
    const module = after('cat > test_mine.py <<E\n1\nE', {
      line: 'python -m unittest test_mine',
      output: passes,
    })
    expect(module.lastTests).toBeNull()
    expect(after('cat > tests/test_mine.py <<E\n1\nE', 'pytest tests').lastTests).toBe(2)
    expect(after('cat > run_tests.py <<E\n1\nE', 'python run_tests.py').lastTests).toBeNull()
  })

  it('counts how often in a row a test of the project failed, until a run does not name it', () => {
    const failing = { line: 'pytest', output: fails }
    expect(after(failing, failing, failing).failingTests).toEqual([
      { name: 'tests/test_a.py::test_long_name', times: 3 },
    ])
    expect(after(failing, failing, { line: 'pytest', output: passes }).failingTests).toEqual([])
    expect(after(failing, 'pytest -q').failingTests).toHaveLength(1)
  })

  it('knows tests that run in the background until somebody hears of their end', () => {
    const started = { line: 'npm test', output: 'Command running in background with ID: bash_1' }
    expect(after(started).openRuns).toEqual(['bash_1'])
    expect(
      after(started, { line: 'x', argsText: '{"id":"bash_1"}', output: '<status>running</status>' }).openRuns,
    ).toEqual(['bash_1'])
    expect(
      after(started, { line: 'x', argsText: '{"id":"bash_1"}', output: '<status>completed</status>' })
        .openRuns,
    ).toEqual([])
    expect(after({ ...started, line: 'npm start' }).openRuns).toEqual([])
  })
})

describe('given looks at the tree', () => {
  it('a change that no known call has made is an edit of somebody', () => {
    expect(withTreeSeen(after('make generate'), 5, true).lastEdit).toBe(5)
    expect(withTreeSeen(after('make generate'), 5, false).lastEdit).toBeNull()
  })

  it('what tests and its own scripts write is none', () => {
    expect(withTreeSeen(after({ line: 'pytest', output: passes }), 5, true).lastEdit).toBeNull()
    const later = withTreeSeen(withTreeSeen(after('pytest'), 5, true), 9, true)
    expect(later.lastEdit).toBe(9)
  })
})

describe('given anything', () => {
  const line = fc.constantFrom(
    'cat > a.py <<E\n1\nE',
    'python a.py',
    'pytest',
    'pytest a.py',
    'rm a.py',
    'make',
    'ls',
    'cp a b',
  )
  const files = fc.nat({ max: 200 }).map((name) => `cat > f${name}.py <<E\n1\nE`)

  it('is plain data, and bounded', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(line, files), { maxLength: 150 }), (lines) => {
        const record = after(...lines)
        expect(JSON.parse(JSON.stringify(record))).toEqual(record)
        expect(record.ownFiles.length).toBeLessThanOrEqual(64)
        expect(record.editedFiles.length).toBeLessThanOrEqual(64)
        expect(lastEditOf(record) ?? 0).toBeLessThanOrEqual(lines.length)
      }),
    )
  })
})
