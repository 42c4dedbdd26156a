import { describe, expect, it } from 'vitest'
import { edited, version } from './fixtures/changes.ts'
import { findRefusedChanges } from './rules.ts'

const rulesOf = (...changes: Parameters<typeof findRefusedChanges>[0]) =>
  findRefusedChanges(changes).map(({ rule }) => rule)

describe('given settings and record of donecheck', () => {
  it.each([
    'donecheck.config.ts',
    'donecheck.json',
    'packages/a/.donecheckrc.json',
    '.donecheck/runs/x.jsonl',
  ])('refuses that %s is written, changed or removed', (path) => {
    expect(rulesOf(edited(path, null, 'x'))).toEqual(['config.donecheck-changed'])
    expect(rulesOf(edited(path, 'x', 'y'))).toEqual(['config.donecheck-changed'])
    expect(rulesOf(edited(path, 'x', null))).toEqual(['config.donecheck-changed'])
    expect(rulesOf(edited(path, 'x', 'x'))).toEqual([])
  })
})

describe('given permissions', () => {
  const modes = (then: number, now: number) =>
    rulesOf({ path: 'check.sh', before: version('x', then), after: version('y', now) })

  it('refuses that a check may no longer be executed or read', () => {
    expect(modes(0o755, 0o644)).toEqual(['permissions.changed'])
    expect(modes(0o644, 0o244)).toEqual(['permissions.changed'])
    expect(modes(0o755, 0o000)).toEqual(['permissions.changed', 'permissions.changed'])
  })

  it('lets more, and less for others, be', () => {
    expect(modes(0o644, 0o755)).toEqual([])
    expect(modes(0o777, 0o755)).toEqual([])
  })
})

describe('given a command of the checks', () => {
  it.each([
    ['package.json', '"test": "vitest run"', '"test": "vitest run -t adds"'],
    ['package.json', '"test": "jest",', '"test": "jest --testNamePattern=adds",'],
    ['package.json', '"test": "mocha"', '"test": "mocha --grep \\"adds two\\""'],
    ['Makefile', '\tgo test ./...', '\tgo test -run TestAdd ./...'],
    ['pytest.ini', 'addopts = -ra', 'addopts = -ra -k adds'],
    [
      '.github/workflows/ci.yml',
      '      - run: node --test',
      "      - run: node --test --test-name-pattern='adds'",
    ],
  ])('refuses that %s runs a part of the tests: %s', (path, then, now) => {
    expect(rulesOf(edited(path, `x\n${then}\ny\n`, `x\n${now}\ny\n`))).toEqual(['test.narrowed'])
    expect(rulesOf(edited(path, `x\n${now}\ny\n`, `x\n${then}\ny\n`))).toEqual([])
  })

  it('lets a new command of its own be', () => {
    const text = '"test": "mocha",\n'
    expect(rulesOf(edited('package.json', text, `${text}"test:unit": "mocha --grep unit",\n`))).toEqual([])
    expect(rulesOf(edited('README.md', 'mocha\n', 'mocha --grep x\n'))).toEqual([])
  })
})
