import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { isWorkUnstarted, whatIsNotFound } from './trouble.ts'

const folder = mkdtempSync(join(tmpdir(), 'donecheck-not-found-'))
mkdirSync(join(folder, 'scripts'))
writeFileSync(join(folder, 'scripts', 'there'), '#!/usr/bin/env bsh\n')
afterAll(() => rmSync(folder, { recursive: true }))

function found(tail: string, searchPath = '/usr/bin:/bin', line = 'npm run lint') {
  return whatIsNotFound(line, `some output\n${tail}\n`, folder, searchPath)
}

describe('given a line that ended with 127', () => {
  it.each([
    ['dash', 'line: 1: eslint: not found'],
    ['bash', 'line: line 1: eslint: command not found'],
    ['busybox', 'line: eslint: not found'],
    ['env', 'env: ‘eslint’: No such file or directory'],
    ['timeout', 'timeout: failed to run command ‘eslint’: No such file or directory'],
  ])('when %s did not find what it was to start, then a program of the machine is missing', (_, said) => {
    expect(found(said)).toEqual({ kind: 'program', name: 'eslint' })
  })

  it('when a path outside of the work folder is not there, then that is a program too', () => {
    expect(found('line: 1: /opt/tools/lint: not found')).toEqual({
      kind: 'program',
      name: '/opt/tools/lint',
    })
  })

  it.each([
    ['a path', 'line: 1: ./check: not found'],
    ['a path, by bash', 'line: line 1: scripts/check: No such file or directory'],
    ['a path of a script of the project', 'sh: 1: ./scripts/build: not found'],
    ['a script', 'bash: lint.sh: No such file or directory'],
    ['a script, by an old dash', "sh: 0: Can't open lint.sh: No such file"],
    ['a path below it, told in full', `line: 1: ${folder}/check: not found`],
  ])('when %s in the work folder is missing, then it is the work that is not done', (_, said) => {
    expect(found(said)).toEqual({ kind: 'file-of-the-work' })
  })

  it.each([
    ['a script of the project found no program', 'sh: 1: vitest: not found'],
    ['nobody says what was not found', 'oh no'],
  ])('when %s, then something is missing that the agent may bring', (_, said) => {
    expect(found(said)).toEqual({ kind: 'elsewhere' })
  })

  it('when the first line of a file of the work names no program, then it is the work that is not done', () => {
    const missing = 'env: ‘bsh’: No such file or directory'
    expect(found(missing, '/usr/bin', './scripts/there --all')).toEqual({ kind: 'file-of-the-work' })
    expect(found(missing, '/usr/bin', 'env bsh x')).toEqual({ kind: 'program', name: 'bsh' })
    expect(found('line: 1: scripts/there: not found')).toEqual({ kind: 'file-of-the-work' })
  })

  it('when programs are also looked for in the work folder, then the agent may install it', () => {
    const searchPath = `/usr/bin:${join(folder, 'node_modules', '.bin')}`
    expect(found('line: 1: eslint: not found', searchPath)).toEqual({ kind: 'elsewhere' })
  })
})

describe('given a line that failed because a shell could not start something', () => {
  it.each([
    ['dash, not executable', 'line: 1: ./check.sh: Permission denied'],
    ['bash, not executable', 'line: line 1: scripts/check: Permission denied'],
    ['a script of package.json', 'sh: 1: ./check.sh: Permission denied'],
    ['a recipe of make', 'make: ./check.sh: Permission denied'],
    [
      'bash, a first line that names nothing',
      'bash: line 1: ./check.sh: cannot execute: required file not found',
    ],
    ['an older bash', 'bash: ./check.sh: /bin/bsh: bad interpreter: No such file or directory'],
    ['no program at all', 'line: 1: ./check.sh: Exec format error'],
  ])('knows a file of the work: %s', (_, said) => {
    expect(isWorkUnstarted(said, folder)).toBe(true)
  })

  it.each(['line: 1: /opt/tools/lint: Permission denied', 'line: 1: eslint: Permission denied', 'oh no'])(
    'leaves what is no file of the work: %s',
    (said) => {
      expect(isWorkUnstarted(said, folder)).toBe(false)
    },
  )
})
