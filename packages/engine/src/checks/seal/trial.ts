/** One check, asked about a copy of the baseline tree with something laid over it. */
import { askCheck } from '../probe/index.ts'
import type { ProbeTrees, Verifier, VerifierContext, VerifierReport } from '../../ports/checks.ts'
import { undecidedReport } from '../../ports/checks.ts'
import type { TextFile } from './author.ts'

export interface Bench {
  readonly runId: string
  readonly task: string
  readonly workFolder: string
  readonly trees: ProbeTrees
  readonly signal: AbortSignal
}

export type Overlay = ReadonlyMap<string, string | null>

export function overlayOf(...lists: readonly (readonly TextFile[])[]): Overlay {
  return new Map(lists.flat().map(({ path, text }) => [path, text]))
}

export function contextOf({ runId, task, workFolder }: Bench, folder: string): VerifierContext {
  return {
    runId,
    workFolder: folder,
    projectFolder: workFolder,
    task,
    finalText: '',
    trigger: 'turn',
    turn: 0,
    fingerprint: undefined,
    baseline: undefined,
  }
}

/** In one copy, one after the other. @throws where no copy can be made */
export async function askIn(
  overlay: Overlay,
  checks: readonly Verifier[],
  bench: Bench,
  more: Partial<VerifierContext> = {},
): Promise<readonly VerifierReport[]> {
  const tree = await bench.trees.copy(overlay, bench.signal)
  try {
    const reports: VerifierReport[] = []
    for (const check of checks) {
      const answer = await askCheck(check, { ...contextOf(bench, tree.folder), ...more }, bench.signal)
      bench.signal.throwIfAborted()
      reports.push(answer.kind === 'reported' ? answer.report : undecidedReport(answer.reason))
    }
    return reports
  } finally {
    await tree.dispose()
  }
}
