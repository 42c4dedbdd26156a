/** Every claim of a half of the recorded runs, replayed. */
import { filesOf, readRuns } from '@donecheck/engine/recordings'
import { halfOf, type Half } from '../halves.ts'
import type { EvidenceLine } from '@donecheck/core/decide'
import { claimedRun } from './claimed.ts'
import { replayClaim } from './replay-claim.ts'

export interface MeasuredClaim {
  readonly id: string
  readonly file: string
  readonly isTrue: boolean
  readonly evidence: EvidenceLine
  /** What contradicts it, in words. */
  readonly accusations: readonly string[]
}

export interface Measured {
  readonly claims: readonly MeasuredClaim[]
  /** What is missing or could not be read. */
  readonly problems: readonly string[]
}

export async function measureClaims(folder: string, half: Half | 'all'): Promise<Measured> {
  const problems: string[] = []
  const claims: MeasuredClaim[] = []
  const files = await filesOf(folder)
  if (files === undefined) problems.push('there are no recorded runs: name their folder with --data')
  for await (const run of readRuns(files ?? [], (problem) => problems.push(problem))) {
    if (half !== 'all' && halfOf(run.id) !== half) continue
    const claimed = claimedRun(run)
    if (claimed === undefined) continue
    const { evidence, accusations } = replayClaim(run)
    const said = accusations.map(({ message }) => message)
    claims.push({ id: run.id, file: run.file, isTrue: claimed.isTrue, evidence, accusations: said })
  }
  return { claims, problems }
}
