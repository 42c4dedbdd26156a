import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sandbox } from 'donecheck/ports'
import { bubblewrap, sandboxRuntime } from 'donecheck/sandbox'
import type { BenchOptions } from './gate-figures.ts'
import { median, rounded, timed, type Table } from './table.ts'

type Start = (folder: string) => Promise<void>

/** Starting `true`, bare and confined, in turn. What is asked for anew before each start counts. */
export async function sandboxTable({ full }: BenchOptions): Promise<Table> {
  const folder = await mkdtemp(join(tmpdir(), 'donecheck-bench-'))
  try {
    const trials = {
      bubblewrap: await bubblewrap({ workFolder: folder }),
      'sandbox-runtime': await sandboxRuntime({ workFolder: folder }),
    }
    const starts: Record<string, Start> = { 'bare `true`': startBare }
    const missing: string[] = []
    for (const [name, trial] of Object.entries(trials)) {
      if (trial.kind === 'works')
        starts[`\`true\` in ${name}`] = (place) => startConfined(trial.sandbox, place)
      else missing.push(`${name} is not here`)
    }
    const times = Object.fromEntries(Object.keys(starts).map((name) => [name, [] as number[]]))
    for (let round = 0; round < (full ? 200 : 40); round += 1)
      for (const [name, start] of Object.entries(starts)) times[name]?.push(await timed(() => start(folder)))
    const bare = median(times['bare `true`'] ?? [])
    return {
      title: ['start of a confined process', ...missing].join('; '),
      rows: Object.entries(times).map(([name, ms]) => ({
        name,
        'median ms': rounded(median(ms), 1),
        'more than bare ms': rounded(median(ms) - bare, 1),
        ratio: rounded(median(ms) / bare, 1),
      })),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function startBare(folder: string): Promise<void> {
  spawnSync('true', [], { cwd: folder })
}

async function startConfined(sandbox: Sandbox, folder: string): Promise<void> {
  const environment = { PATH: process.env['PATH'] ?? '' }
  const confined = await sandbox.confine({ words: ['true'], folder, environment })
  if (confined.kind === 'unavailable') throw new Error(confined.problem)
  const [program, ...words] = confined.words
  const { status, stderr } = spawnSync(program, words, { cwd: folder, env: confined.environment })
  await confined.release?.()
  if (status !== 0) throw new Error(`a confined process ended with ${status}: ${stderr.toString()}`)
}
