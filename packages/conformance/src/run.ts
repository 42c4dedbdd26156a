import { UsageError, assertKnownKeys, type OptionKeys } from '@donecheck/engine/internal/base'
import { cases as allCases } from './cases.ts'
import type { Case } from './case.ts'
import { problemsOf, wantedOf, type Problem } from './judge.ts'
import { layOut, userFile } from './place.ts'
import { report, type Reported, type Subject } from './subject.ts'

export interface ConformanceOptions {
  readonly subject: Subject
  /** Default: all of the kit. */
  readonly cases?: readonly Case[]
  /** Default 3. */
  readonly parallel?: number
  /** Of one case, in milliseconds; a slower subject counts as not ended. Default 60,000. */
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
 * Tests a loop, a Stop hook or a gate with scripted agents. Results are in the order of the cases; a gate
 * skips cases that a tree alone cannot decide.
 * @throws {UsageError} for invalid limits
 */
export async function runConformance(options: ConformanceOptions): Promise<readonly CaseResult[]> {
  assertKnownKeys(options, keys, 'runConformance')
  const { subject, parallel = 3, timeoutMs = 60_000, onResult } = options
  if (!Number.isInteger(parallel) || parallel < 1)
    throw new UsageError(`parallel must be a positive whole number, not ${parallel}`)
  const asked = (options.cases ?? allCases).filter((one) => wantedOf(one, subject.kind) !== null)
  const signal = options.signal ?? new AbortController().signal
  const results = new Map<Case, CaseResult>()
  const left = asked.values()
  const tryWhatIsLeft = async () => {
    for (const one of left) {
      if (signal.aborted) return
      const result = await tryCase(one, { subject, timeoutMs, signal })
      results.set(one, result)
      onResult?.(result)
    }
  }
  await Promise.all(Array.from({ length: parallel }, tryWhatIsLeft))
  return asked.flatMap((one) => results.get(one) ?? [])
}

async function tryCase(
  one: Case,
  {
    subject,
    ...bounds
  }: { readonly subject: Subject; readonly timeoutMs: number; readonly signal: AbortSignal },
): Promise<CaseResult> {
  const wanted: Case = { ...one, leaves: { [userFile.name]: userFile.text, ...one.leaves } }
  const place = await layOut(one)
  try {
    const startedMs = performance.now()
    const reported = await report(subject, wanted, { place, ...bounds })
    const durationMs = performance.now() - startedMs
    const turns = await place.turns()
    const names = Object.keys(wanted.leaves ?? {})
    const files = Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await place.read(name)] as const)),
    )
    const problems = problemsOf(wanted, subject, { reported, turns, files })
    return { case: one, reported, turns, durationMs, problems }
  } finally {
    await place.remove()
  }
}
