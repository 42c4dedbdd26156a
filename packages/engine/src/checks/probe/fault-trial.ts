import type { FaultTrial, FaultTrialResult, ProbeTrees } from '../../ports/checks.ts'
import { askCheck } from './ask-check.ts'
import { contextIn, timeLimit } from './trial.ts'

export interface FaultTrialOptions {
  readonly trees: ProbeTrees
  /** For all copies of one check together. */
  readonly maxMs: number
}

/** No language or format of settings that we know can read it. */
const unreadable = ')(\n\t"[: {\n'

interface Fault {
  /** As the end of "a copy with …". */
  readonly what: string
  readonly overlay: ReadonlyMap<string, string | null>
}

/**
 * Breaks the product as much as it can, in a copy: first every source is made unreadable, then every file of the product is
 * deleted, for checks that only look whether something is there. A check that passes both times notices no smaller fault
 * either. The tests and the settings of tools stay as they are.
 */
export function faultTrial({ trees, maxMs }: FaultTrialOptions): FaultTrial {
  return {
    async tryToFail(check, line, context, signal) {
      const product = await trees.product(line, signal)
      const sources = product.filter(({ isSource }) => isSource)
      if (sources.length === 0) return { kind: 'nothing-to-break' }
      const faults: readonly Fault[] = [
        {
          what: 'every source file made unreadable',
          overlay: new Map(sources.map(({ path }) => [path, unreadable])),
        },
        { what: 'every product file deleted', overlay: new Map(product.map(({ path }) => [path, null])) },
      ]
      const limit = timeLimit(maxMs)
      const within = AbortSignal.any([signal, limit.signal])
      const tryWith = async ({ what, overlay }: Fault): Promise<FaultTrialResult> => {
        const tree = await trees.copy(overlay, signal)
        const answer = await askCheck(check, contextIn(tree.folder, context), within).finally(() =>
          tree.dispose(),
        )
        signal.throwIfAborted()
        if (answer.kind === 'silent') return { kind: 'undecided', reason: answer.reason }
        if (answer.report.status === 'failed') return { kind: 'red', fault: what }
        return answer.report.status === 'passed'
          ? { kind: 'green' }
          : { kind: 'undecided', reason: answer.report.reason }
      }
      try {
        for (const fault of faults) {
          const result = await tryWith(fault)
          if (result.kind !== 'green') return result
        }
        const install = await trees.findEditableInstall?.()
        return install === undefined
          ? { kind: 'green' }
          : { kind: 'undecided', reason: `${install} makes the check read the work folder, not the copy` }
      } finally {
        limit.clear()
      }
    },
  }
}
