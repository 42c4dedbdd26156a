import type { TestCounts } from '@donecheck/core/verdicts'
import { type Reading, unreadable } from '../report.ts'
import { jestSummaries, mochaSummaries, nodeTestSummaries, vitestSummaries } from './javascript.ts'
import {
  cargoSummaries,
  dotnetSummaries,
  goSummaries,
  phpunitSummaries,
  pytestSummaries,
  rspecSummaries,
  surefireSummaries,
  unittestSummaries,
} from './others.ts'
import { sumOfCounts, type TextRunner, type Summary } from './summary.ts'

const readers: Readonly<Record<TextRunner, (text: string) => Summary[]>> = {
  vitest: vitestSummaries,
  jest: jestSummaries,
  'node-test': nodeTestSummaries,
  mocha: mochaSummaries,
  pytest: pytestSummaries,
  unittest: unittestSummaries,
  go: goSummaries,
  cargo: cargoSummaries,
  surefire: surefireSummaries,
  phpunit: phpunitSummaries,
  rspec: rspecSummaries,
  dotnet: dotnetSummaries,
}

/** Runners that say one sum at the very end: what stands before it may be the words of a test. */
const sayOneSum: ReadonlySet<TextRunner> = new Set([
  'vitest',
  'jest',
  'node-test',
  'mocha',
  'pytest',
  'unittest',
  'rspec',
  'phpunit',
])

/**
 * Counts out of the summary that a runner prints for people: the weakest of our sources, since a test can print the
 * same words. `runner`: the one that is known to have run once, of which the last sum counts; undefined: whoever
 * has run, how often so ever, and all sums are added.
 */
export function readText(output: string, runner: TextRunner | undefined): Reading {
  const text = withoutColours(output)
  if (runner === undefined) return readingOfParts('text', partsOfAll(text))
  const summaries = readers[runner](text)
  return readingOfParts('text', sumsOf(runner, sayOneSum.has(runner) ? summaries.slice(-1) : summaries))
}

/** The same, where one runner has run several times. */
export function readTextOfEach(output: string, runner: TextRunner): Reading {
  return readingOfParts('text', sumsOf(runner, readers[runner](withoutColours(output))))
}

function partsOfAll(text: string): readonly TestCounts[] {
  return Object.values(readers).flatMap((read) => {
    const summaries = read(text)
    const [first] = summaries
    return first === undefined ? [] : sumsOf(first.runner, summaries)
  })
}

/** One for each run of a runner; what says a sum for every module or program is one run. */
function sumsOf(runner: TextRunner, summaries: readonly Summary[]): readonly TestCounts[] {
  const counts = summaries.map((summary) => summary.counts)
  return sayOneSum.has(runner) || counts.length === 0 ? counts : [sumOfCounts(counts)]
}

function readingOfParts(format: string, parts: readonly TestCounts[]): Reading {
  if (parts.length === 0) return unreadable('no summary of a test runner that we know')
  const report = { format, counts: sumOfCounts(parts), tests: [] }
  return { kind: 'read', report: parts.length === 1 ? report : { ...report, parts } }
}

/** Colours and other escape sequences of terminals. */
// eslint-disable-next-line no-control-regex
const escapes = /\u001b\[[0-9;?]*[ -/]*[@-~]/g

/** A text as it would be read, with `\n` at the end of every line. */
export function withoutColours(text: string): string {
  return text.replace(escapes, '').replace(/\r\n?/g, '\n')
}
