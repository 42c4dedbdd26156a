import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Sandbox } from '@donecheck/engine/internal/ports/gate'
import { bubblewrap, sandboxRuntime } from '@donecheck/engine/internal/system/sandbox'
import type { BenchOptions } from './gate-figures.ts'
import { median, rounded, timed, type Table } from './table.ts'

type Start = () => Promise<void>

const fileCount = 20_000

/**
 * Running `true`, bare and confined, in turn. What is asked for anew before each start counts, and the look through the tree
 * before and after it: in a folder that is empty, and in one with as many files as a usual `node_modules`.
 */
export async function sandboxTable({ full }: BenchOptions): Promise<Table> {
  const empty = await mkdtemp(join(tmpdir(), 'donecheck-bench-'))
  const large = await mkdtemp(join(tmpdir(), 'donecheck-bench-'))
  try {
    await fill(large)
    const starts: Record<string, Start> = { 'bare `true`': async () => startBare(empty) }
    const missing: string[] = []
    const places = { 'an empty folder': empty, [`a folder of ${fileCount} files`]: large }
    for (const [where, folder] of Object.entries(places))
      for (const [name, trial] of Object.entries(await trialsIn(folder))) {
        const { sandbox } = trial.kind === 'works' ? trial : {}
        if (sandbox !== undefined)
          starts[`\`true\` in ${name}, ${where}`] = () => startConfined(sandbox, folder)
        else if (folder === empty) missing.push(`${name} is not here`)
      }
    const times = Object.fromEntries(Object.keys(starts).map((name) => [name, [] as number[]]))
    for (let round = 0; round < (full ? 200 : 40); round += 1)
      for (const [name, start] of Object.entries(starts)) times[name]?.push(await timed(start))
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
    for (const folder of [empty, large]) await rm(folder, { recursive: true, force: true })
  }
}

async function trialsIn(workFolder: string) {
  return {
    bubblewrap: await bubblewrap({ workFolder }),
    'sandbox-runtime': await sandboxRuntime({ workFolder }),
  }
}

async function fill(folder: string): Promise<void> {
  for (let part = 0; part < fileCount / 20; part += 1) {
    const place = join(folder, 'node_modules', `package-${part}`, 'lib')
    await mkdir(place, { recursive: true })
    for (let file = 0; file < 20; file += 1) await writeFile(join(place, `part-${file}.js`), '')
  }
}

function startBare(folder: string): void {
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
