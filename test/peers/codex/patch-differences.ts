import { isDeepStrictEqual } from 'node:util'
import { runOurs, runReference, type PatchCase, type PatchRun } from './patch-runs.ts'

export interface PatchDifference {
  readonly test: PatchCase
  readonly reference: PatchRun
  readonly ours: PatchRun
}

export interface PatchComparison {
  readonly cases: number
  /** So many of them the reference applied. */
  readonly applied: number
  readonly differences: readonly PatchDifference[]
}

/** Runs each case through both, several at once. */
export async function comparePatches(program: string, cases: readonly PatchCase[]): Promise<PatchComparison> {
  const differences: PatchDifference[] = []
  const waiting = cases.values()
  let applied = 0
  const work = async () => {
    for (const test of waiting) {
      const reference = await runReference(program, test)
      const ours = await runOurs(test)
      if (reference.exitCode === 0) applied += 1
      if (!isDeepStrictEqual(reference, ours)) differences.push({ test, reference, ours })
    }
  }
  await Promise.all(Array.from({ length: 4 }, work))
  return { cases: cases.length, applied, differences }
}
