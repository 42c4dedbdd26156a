import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqliteStore } from '@donecheck/engine/store'
import { sampleRun } from '@donecheck/core/testing'
import { madeRun } from '@donecheck/engine/testing'
import { perform } from '../../../process/fixtures/performed.ts'
import type { CliIo } from '../../../process/io.ts'
import { backtestCommand } from '../backtest.ts'

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'donecheck-backtest-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const ran = (command: (io: CliIo) => Promise<number>) => perform(command, folder)

/** All calls differ, so that only caps end such a run. */
const calls = (count: number) =>
  Array.from({ length: count }, (_, index) => `bash step-${index} done-${index}`)
const tokens = (run: ReturnType<typeof madeRun>) => ({
  ...run,
  turns: run.turns.map((turn) => ({ ...turn, tokens: { in: 1000, out: 100 } })),
})

/** Runs that reach their goal take 10 turns, the others 30. */
async function recordRuns(): Promise<string> {
  const runs = Array.from({ length: 40 }, (_, index) => {
    const resolved = index % 2 === 0
    return tokens(
      madeRun(calls(resolved ? 10 : 30), { id: `run/${index}`, model: 'm', outcome: { resolved } }),
    )
  })
  const file = join(folder, 'runs.jsonl')
  await writeFile(file, runs.map((run) => JSON.stringify(run)).join('\n'))
  return file
}

describe('given a file of recorded runs', () => {
  it('every variant stands beside the one of the project, with what it saves and loses', async () => {
    await recordRuns()
    const variant = ['short=maxTurns=20', 'harsh=maxTurns=5']
    const { out, exitCode } = await ran((io) => backtestCommand(['runs.jsonl'], { variant }, io))
    expect(exitCode).toBe(0)
    expect(out).toContain(
      '40 runs on record: 20 reached their goal, 20 did not, of 0 nobody knows; 800 calls.',
    )
    expect(out).toMatch(/would be lost +0 of 20 \(0\.0–16\.1 %\) +0 of 20 .* 20 of 20 \(83\.9–100\.0 %\)/)
    expect(out).toMatch(/calls saved +0 = 0\.0 % .* 200 = 33\.3 % .* 500 = 83\.3 %/)
    expect(out).toMatch(/ended by cap:iterations +0 +20 +40/)
    expect(out).toContain('current: the record does not tell what was used of wall_clock in 40 runs')
    expect(out).toContain('harsh: and 15 more, which --json lists')
  })

  it('money is counted at the prices of the configuration', async () => {
    await recordRuns()
    const prices = { m: { inputPerMillionTokens: 1000, outputPerMillionTokens: 0 } }
    await writeFile(join(folder, 'donecheck.config.json'), JSON.stringify({ prices, maxTurns: 20 }))
    const { out } = await ran((io) => backtestCommand(['runs.jsonl'], { json: true }, io))
    expect(JSON.parse(out)).toMatchObject({
      policies: [{ name: 'current', dollars: { runs: 20, saved: 200, total: 600 } }],
      sets: { runs: { counts: { runs: 40 } } },
      problems: [],
    })
  })

  it.each([
    [['nowhere.jsonl'], {}, 'there is no file or folder'],
    [['runs.jsonl'], { variant: ['current=maxTurns=3'] }, 'a variant is called "current" already'],
    [['runs.jsonl'], { variant: ['a=maxTurns=3', 'a=maxTurns=4'] }, 'called "a" already'],
    [[], {}, 'this project has no recorded runs'],
  ] as const)('%j %j is refused, and why', async (files, flags, words) => {
    await recordRuns()
    await expect(ran((io) => backtestCommand(files, flags, io))).rejects.toThrow(words)
  })
})

describe('given runs of this project', () => {
  it('they are replayed where no file is named', async () => {
    const store = openSqliteStore({ folder: join(folder, 'store') })
    await store.append(0, sampleRun(), null)
    await store.close()
    const { out } = await ran((io) => backtestCommand([], { store: join(folder, 'store'), sets: true }, io))
    expect(out).toContain('runs of this project: 1 run on record: 1 reached their goal')
  })
})
