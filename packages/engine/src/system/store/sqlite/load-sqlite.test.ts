import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { loadSqlite } from './open-database.ts'

const run = promisify(execFile)
const quiet = fileURLToPath(new URL('fixtures/quiet.ts', import.meta.url))

describe('given a process that opens a store', () => {
  it('shows no warning of SQLite and every other one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'donecheck-store-'))
    const { stdout, stderr } = await run(process.execPath, [quiet, folder])
    await rm(folder, { recursive: true })
    expect(stdout).toBe('')
    expect(stderr).not.toMatch(/SQLite/i)
    expect(stderr).toContain('Warning: first of our own')
    expect(stderr).toContain('[OURS] ExperimentalWarning: second of our own')
  })
})

/** Puts another value in the place of one of the process, for as long as the work takes. */
function withProcess(name: 'emitWarning' | 'getBuiltinModule', value: unknown, work: () => void): void {
  const original = Object.getOwnPropertyDescriptor(process, name)
  Object.defineProperty(process, name, { configurable: true, writable: true, value })
  try {
    work()
  } finally {
    if (original !== undefined) Object.defineProperty(process, name, original)
  }
}

describe('given a Node whose SQLite is still called experimental', () => {
  it('keeps that sentence back, lets others through meanwhile, and leaves the process as it was', () => {
    const seen: unknown[][] = []
    const watch = (...words: unknown[]) => void seen.push(words)
    const experimentalSqlite = () => {
      process.emitWarning('SQLite is an experimental feature and might change', 'ExperimentalWarning')
      process.emitWarning('something else', 'ExperimentalWarning')
      return {}
    }
    withProcess('emitWarning', watch, () => {
      withProcess('getBuiltinModule', experimentalSqlite, () => loadSqlite('here'))
      expect(Reflect.get(process, 'emitWarning')).toBe(watch)
    })
    expect(seen).toEqual([['something else', 'ExperimentalWarning']])
  })
})

describe('given a Node without SQLite', () => {
  it('says which Node to use', () => {
    withProcess(
      'getBuiltinModule',
      () => undefined,
      () => {
        expect(() => loadSqlite('/state/store.sqlite')).toThrow(
          /state\/store\.sqlite: .* use Node 22\.18 or newer/,
        )
      },
    )
  })
})
