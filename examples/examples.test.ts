import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, describe, expect, it } from 'vitest'
import { assertGolden } from './golden.ts'
import { exampleNames } from './run-example.ts'

const folder = import.meta.dirname
const names = exampleNames(folder)

/** All sources of an example. */
function filesOf(name: string): readonly string[] {
  const inner = path.dirname(name)
  if (inner === '.') return [name]
  const files = readdirSync(path.join(folder, inner)).filter((file) => file.endsWith('.ts'))
  return files.map((file) => path.join(inner, file))
}

/** Under plain Node, as their readers run them: to load the library takes longer than most of them do, so it is done once. */
function play(...files: readonly string[]) {
  const env = { ...process.env, NODE_COMPILE_CACHE: path.join(tmpdir(), 'node-compile-cache') }
  const child = spawn(process.execPath, [path.join(folder, 'run-all.ts'), ...files], { env })
  child.stderr.pipe(process.stderr)
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  /** Undefined: it ended without one. */
  const lineAbout = async (name: string): Promise<string | undefined> => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done === true || value.includes(name)) return value
    }
  }
  return { lineAbout, kill: () => child.kill(), exitCode: once(child, 'close').then(() => child.exitCode) }
}

describe('given the numbered examples', () => {
  const played = play()
  afterAll(() => played.kill())

  it('are numbered from 01 without a gap', () => {
    expect(names.length).toBeGreaterThanOrEqual(9)
    expect(names.map((name) => Number(name.slice(0, 2)))).toEqual(names.map((_, index) => index + 1))
  })

  it.each(names)('%s does what it promises', async (name) => {
    expect(await played.lineAbout(name)).toBe(`ok   ${name}`)
  })

  it('all end, and nothing of them runs on', async () => {
    expect(await played.exitCode).toBe(0)
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

describe('given examples that do not keep their promise', () => {
  it('notices each, and goes on with the next', async () => {
    const temporary = mkdtempSync(path.join(tmpdir(), 'donecheck-example-'))
    const broken = [
      ['console.log("one")\n// prints: two\n', 'it promises "two", but prints "one"'],
      ['console.log("one")\nprocess.exitCode = 3\n// prints: one\n', 'it ended with exit code 3'],
      ['console.log("one")\nthrow new Error("broken")\n// prints: one\n', 'it threw Error: broken'],
      ['console.log("one")\n', 'its last line does not say what it prints'],
      ['process.exit(0)\n// prints: one\n', undefined],
    ] as const
    const files = broken.map((_, index) => path.join(temporary, `0${index}-broken.ts`))
    for (const [index, file] of files.entries()) writeFileSync(file, broken[index]?.[0] ?? '')
    const played = play(...files)
    for (const [index, [, problem]] of broken.entries())
      expect(await played.lineAbout(`0${index}-broken.ts`)).toEqual(
        problem && expect.stringContaining(problem),
      )
    expect(await played.exitCode).toBe(1)
    rmSync(temporary, { recursive: true })
  })
})
