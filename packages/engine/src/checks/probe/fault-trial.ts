import type { FaultTrial, ProbeTrees } from '../../ports/checks.ts'
import { askCheck } from './ask-check.ts'
import { isMutable } from './mutants.ts'
import { contextIn, timeLimit } from './trial.ts'

export interface FaultTrialOptions {
  readonly trees: ProbeTrees
  /** For all copies of one check together. */
  readonly maxMs: number
}

/** No language that we know can read it. */
const unreadable = ')(\n'

/**
 * Breaks as much as it can, in a copy: first all of the product, then all tests. A check that passes both times does not
 * notice anything, and would notice no smaller fault either. `error`, as of a program that is missing in a copy, is not
 * red.
 */
export function faultTrial({ trees, maxMs }: FaultTrialOptions): FaultTrial {
  return {
    async tryToFail(check, context, signal) {
      const files = await trees.files(signal)
      const faults = [
        { fault: 'every file of the product broken', paths: files.filter(({ isProtected }) => !isProtected) },
        {
          fault: 'every test broken',
          paths: files.filter(({ path, isProtected }) => isProtected && isMutable(path)),
        },
      ]
      const limit = timeLimit(maxMs)
      const within = AbortSignal.any([signal, limit.signal])
      const tried: string[] = []
      try {
        for (const { fault, paths } of faults.filter((each) => each.paths.length > 0)) {
          const tree = await trees.copy(
            new Map(paths.map(({ path }) => [path, isMutable(path) ? unreadable : ''])),
            signal,
          )
          const answer = await askCheck(check, contextIn(tree.folder, context), within).finally(() =>
            tree.dispose(),
          )
          signal.throwIfAborted()
          if (answer.kind === 'reported' && answer.report.status === 'failed') return { kind: 'red', fault }
          const end = answer.kind === 'reported' ? answer.report.status : answer.reason
          tried.push(`${fault}: ${end}`)
        }
        return { kind: 'not-red', tried }
      } finally {
        limit.clear()
      }
    },
  }
}
