import type { Reading } from '../report.ts'
import { unreadable } from '../report.ts'
import { jestSummaries, mochaSummaries, nodeTestSummaries, vitestSummaries } from './javascript.ts'
import {
  cargoSummaries,
  dotnetSummaries,
  goSummaries,
  phpunitSummaries,
  pytestSummaries,
  rspecSummaries,
  surefireSummaries,
} from './others.ts'
import { withoutColours } from './strip.ts'
import { sumOfCounts, type SpokenRunner, type Summary } from './summary.ts'

const readers: Readonly<Record<SpokenRunner, (text: string) => Summary[]>> = {
  vitest: vitestSummaries,
  jest: jestSummaries,
  'node-test': nodeTestSummaries,
  mocha: mochaSummaries,
  pytest: pytestSummaries,
  go: goSummaries,
  cargo: cargoSummaries,
  surefire: surefireSummaries,
  phpunit: phpunitSummaries,
  rspec: rspecSummaries,
  dotnet: dotnetSummaries,
}

/** Runners that say one sum at the very end: what stands before it may be the words of a test. */
const sayOneSum: ReadonlySet<SpokenRunner> = new Set([
  'vitest',
  'jest',
  'node-test',
  'mocha',
  'pytest',
  'rspec',
  'phpunit',
])

/**
 * Counts out of the summary that a runner prints for people: the weakest of our sources, since a test can print the
 * same words. `runner`: the one that is known to have run once, of which the last sum counts; undefined: whoever
 * has run, how often so ever, and all sums are added.
 */
export function readText(output: string, runner: SpokenRunner | undefined): Reading {
  const text = withoutColours(output)
  const summaries = runner === undefined ? summariesOfAll(text) : lastOf(readers[runner](text), runner)
  if (summaries.length === 0) return unreadable('no summary of a test runner that we know')
  const counts = sumOfCounts(summaries.map((summary) => summary.counts))
  return { kind: 'read', report: { format: 'text', counts, tests: [] } }
}

function summariesOfAll(text: string): Summary[] {
  return Object.values(readers).flatMap((read) => read(text))
}

function lastOf(summaries: readonly Summary[], runner: SpokenRunner): readonly Summary[] {
  return sayOneSum.has(runner) ? summaries.slice(-1) : summaries
}
