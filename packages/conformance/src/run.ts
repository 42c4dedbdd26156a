import { UsageError, assertKnownKeys, type OptionKeys } from '@donecheck/engine/internal/base'
import { cases as allCases } from './cases.ts'
import type { Case } from './case.ts'
import { findProblems, findExpected, type Problem } from './judge.ts'
import { createProject, userFile } from './case-project.ts'
import { runSubject, type Reported, type Subject } from './subject.ts'

export interface ConformanceOptions {
  readonly subject: Subject
  /** Default: all built-in cases. */
  readonly cases?: readonly Case[]
  /** Number of concurrent cases. Default: 3. */
  readonly parallel?: number
  /** Timeout of each command in milliseconds; a slower subject has the problem `no end`. Default: 60,000. */
  readonly timeoutMs?: number
  readonly signal?: AbortSignal
  /** Called after every case. */
  readonly onResult?: (result: CaseResult) => void
}

const keys: OptionKeys<ConformanceOptions> = {
  subject: 'needed',
  cases: true,
  parallel: true,
  timeoutMs: true,
  signal: true,
  onResult: true,
}

export interface CaseResult {
  readonly case: Case
  readonly reported: Reported
  readonly turns: number
  readonly durationMs: number
  /** Empty if the case passed. */
  readonly problems: readonly Problem[]
}

/**
 * Tests a loop, a Stop hook or a CI check with scripted agents. Results are in the order of the cases. A CI
 * check skips cases that the tree alone cannot decide.
 * @throws {UsageError} for invalid limits
 */
export async function runConformance(options: ConformanceOptions): Promise<readonly CaseResult[]> {
  assertKnownKeys(options, keys, 'runConformance')
  const { subject, parallel = 3, timeoutMs = 60_000, onResult } = options
  if (!Number.isInteger(parallel) || parallel < 1)
    throw new UsageError(`parallel must be a positive integer, not ${parallel}`)
  const selectedCases = (options.cases ?? allCases).filter((one) => findExpected(one, subject.kind) !== null)
  const signal = options.signal ?? new AbortController().signal
  const results = new Map<Case, CaseResult>()
  const remaining = selectedCases.values()
  const tryRemaining = async () => {
    for (const one of remaining) {
      if (signal.aborted) return
      const result = await tryCase(one, { subject, timeoutMs, signal })
      results.set(one, result)
      onResult?.(result)
    }
  }
  await Promise.all(Array.from({ length: parallel }, tryRemaining))
  return selectedCases.flatMap((one) => results.get(one) ?? [])
}

async function tryCase(
  one: Case,
  {
    subject,
    ...limits
  }: { readonly subject: Subject; readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<CaseResult> {
  const caseWithUserFile: Case = { ...one, leaves: { [userFile.name]: userFile.text, ...one.leaves } }
  const project = await createProject(one)
  try {
    const startedMs = performance.now()
    const reported = await runSubject(subject, caseWithUserFile, { project, ...limits })
    const durationMs = performance.now() - startedMs
    const turns = await project.turns()
    const names = Object.keys(caseWithUserFile.leaves ?? {})
    const files = Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await project.read(name)] as const)),
    )
    const problems = findProblems(caseWithUserFile, subject, { reported, turns, files })
    return { case: one, reported, turns, durationMs, problems }
  } finally {
    await project.remove()
  }
}
