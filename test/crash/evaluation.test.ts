/** kill -9 in the middle of an evaluation: what was done is not done again, what was going on is, from a new folder. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EvaluationReport } from '@donecheck/engine/environments'
import { afterAll, describe, expect, it } from 'vitest'
import { bundled } from './bundled.ts'

const { program, environment, remove } = await bundled('evaluating.ts')
afterAll(remove)

function child(...words: string[]): Promise<{ readonly stdout: string; readonly signal: string | null }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [program, ...words], { env: environment }, (error, stdout) => {
      resolve({ stdout, signal: error?.signal ?? null })
    })
  })
}

describe('given an evaluation of three tries whose process is killed in one of them', () => {
  it.each([1, 2, 3])('try %i: then the next process does what is left, and all is there', async (fatal) => {
    const root = await mkdtemp(join(tmpdir(), 'donecheck-evaluation-'))
    const [folder, log] = [join(root, 'results'), join(root, 'log.txt')]
    try {
      await writeFile(log, '')
      expect((await child(folder, log, String(fatal))).signal).toBe('SIGKILL')
      expect(await readdir(folder)).toContain('evaluation.lock')
      const { stdout } = await child(folder, log)
      const { items, left, total } = JSON.parse(stdout) as EvaluationReport
      expect(items.map(({ seed, passed, turns }) => ({ seed, passed, turns }))).toEqual(
        [1, 2, 3].map((seed) => ({ seed, passed: true, turns: 1 })),
      )
      expect({ left, passed: total.passed }).toEqual({ left: 0, passed: 3 })
      const begun = (await readFile(log, 'utf8')).trim().split('\n').map(Number)
      expect(begun.toSorted()).toEqual([1, 2, 3, fatal].toSorted())
      expect(await readdir(folder)).toEqual(['results'])
      expect(await readdir(join(folder, 'results'))).toHaveLength(3)
    } finally {
      await rm(root, { recursive: true, force: true })
    }
  })
})
