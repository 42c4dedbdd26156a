import { dirname, join } from 'node:path'
import type { Marks } from '../snapshot/manifest.ts'
import { stampOf } from '../stamps.ts'

type RunnerStamps = ReadonlyMap<string, string | undefined>

const programFolder = /(^|\/)(node_modules\/\.bin|\.?venv\/bin)$/

/** Of every file of installed runners; of folders of programs too, where one may appear. */
export function runnerStamps(workFolder: string, runners: Marks): RunnerStamps {
  const names = Object.keys(runners)
  const folders = new Set(names.map((name) => dirname(name)).filter((name) => programFolder.test(name)))
  return new Map([...names, ...folders].map((name) => [name, stampOf(join(workFolder, name))]))
}

export function restamped(before: RunnerStamps, now: RunnerStamps): readonly string[] {
  return [...now.keys()].filter((name) => before.get(name) !== now.get(name))
}

/**
 * Of what was written to, the files whose package was not written as a whole: an install replaces all of it, whoever
 * swaps a file does not.
 */
export function partlyRestamped(moved: readonly string[], all: RunnerStamps): readonly string[] {
  const files = (names: Iterable<string>) => [...names].filter((name) => !programFolder.test(name))
  const total = countByPackage(files(all.keys()))
  const written = countByPackage(files(moved))
  return files(moved).filter((name) => written.get(packageOf(name)) !== total.get(packageOf(name)))
}

function countByPackage(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(packageOf(name), (counts.get(packageOf(name)) ?? 0) + 1)
  return counts
}

function packageOf(name: string): string {
  return /^.*(?:node_modules|site-packages)\/(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? dirname(name)
}
