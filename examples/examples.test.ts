import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { exampleNames, problemOf } from './run-example.ts'

const folder = import.meta.dirname
const names = exampleNames(folder)

describe('given the numbered examples', () => {
  it('are numbered from 01 without a gap', () => {
    expect(names.length).toBeGreaterThanOrEqual(9)
    expect(names.map((name) => Number(name.slice(0, 2)))).toEqual(names.map((_, index) => index + 1))
  })

  it.each(names)('%s does what it promises', async (name) => {
    expect(await problemOf(path.join(folder, name))).toBeUndefined()
  })

  it.each(names)('%s is short and says first what it shows', (name) => {
    const lines = readFileSync(path.join(folder, name), 'utf8').trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(60)
    expect(lines[0]).toMatch(/^\/\*\*/)
  })
})

describe('given an example that does not keep its promise', () => {
  it.each([
    ['console.log("one")\n// prints: two\n', 'it promises "two", but prints "one"'],
    ['console.log("one")\nprocess.exitCode = 3\n// prints: one\n', 'it ended with exit code 3'],
    ['console.log("one")\n', 'does not say what it prints'],
  ])('notices %j', async (text, problem) => {
    const temporary = mkdtempSync(path.join(tmpdir(), 'donecheck-example-'))
    const file = path.join(temporary, '01-broken.ts')
    writeFileSync(file, text)
    expect(await problemOf(file)).toContain(problem)
    rmSync(temporary, { recursive: true })
  })
})
