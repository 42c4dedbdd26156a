import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { median, rounded, type Table } from './table.ts'

const program = fileURLToPath(new URL('../packages/donecheck/bin/donecheck.js', import.meta.url))
const pairs = 15

/** Whole processes, in turn. */
export async function startUpTable(): Promise<Table> {
  const subjects = {
    'node -e 0': ['-e', '0'],
    'donecheck --version': [program, '--version'],
    'donecheck --help': [program, '--help'],
    'donecheck run --help': [program, 'run', '--help'],
  }
  const ms = Object.fromEntries(Object.keys(subjects).map((name) => [name, [] as number[]]))
  for (let pair = 0; pair < pairs; pair += 1) {
    for (const [name, words] of Object.entries(subjects)) ms[name]?.push(processMs(words))
  }
  const bare = ms['node -e 0'] ?? []
  return {
    title: `start-up, ${pairs} rounds`,
    rows: Object.entries(ms).map(([name, times]) => ({
      name,
      'median ms': rounded(median(times), 1),
      'ratio to node -e 0': rounded(
        median(times.map((time, index) => time / (bare[index] ?? Number.NaN))),
        2,
      ),
      aim: name === 'donecheck --version' || name === 'donecheck --help' ? '<= 1.5' : '',
    })),
  }
}

function processMs(words: readonly string[]): number {
  const startedMs = performance.now()
  spawnSync(process.execPath, words, { stdio: 'ignore' })
  return performance.now() - startedMs
}
