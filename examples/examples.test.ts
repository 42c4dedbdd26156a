import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { assertGolden } from './golden.ts'
import { exampleNames, problemOf } from './run-example.ts'

const folder = import.meta.dirname
const names = exampleNames(folder)

/** All sources of an example. */
function filesOf(name: string): readonly string[] {
  const inner = path.dirname(name)
  if (inner === '.') return [name]
  const files = readdirSync(path.join(folder, inner)).filter((file) => file.endsWith('.ts'))
  return files.map((file) => path.join(inner, file))
}

describe('given the numbered examples', () => {
  it('are numbered from 01 without a gap', () => {
    expect(names.length).toBeGreaterThanOrEqual(9)
    expect(names.map((name) => Number(name.slice(0, 2)))).toEqual(names.map((_, index) => index + 1))
  })

  it.each(names)('%s does what it promises', async (name) => {
    expect(await problemOf(path.join(folder, name))).toBeUndefined()
  })

  it.each(names.flatMap(filesOf))('%s is short and says first what it shows', (name) => {
    const lines = readFileSync(path.join(folder, name), 'utf8').trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(path.dirname(name) === '.' ? 60 : 100)
    expect(lines[0]).toMatch(/^\/\*\*/)
  })
})

describe('given golden decisions', () => {
  it('fails where they are missing, or are others', () => {
    const temporary = mkdtempSync(path.join(tmpdir(), 'donecheck-example-'))
    const file = path.join(temporary, 'decisions.txt')
    expect(() => assertGolden(file, '1 run-started → observe\n')).toThrow('is missing')
    writeFileSync(file, '1 run-started → stop\n')
    expect(() => assertGolden(file, '1 run-started → observe\n')).toThrow('says something else')
    expect(() => assertGolden(file, '1 run-started → stop\n')).not.toThrow()
    rmSync(temporary, { recursive: true })
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
