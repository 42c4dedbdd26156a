import { patchFormatOf, planInFolder } from '../../files/index.ts'
import { describeProblem, type PatchProblem } from '../../patch/index.ts'
import type { PatchCheck, PatchChecker } from '../../ports.ts'
import { gitPatchChecker } from './patch-checker.ts'

/**
 * Plans a V4A patch (`*** Begin Patch`) in mode `strict` upon the files as they are: every chunk has one place, no path leads
 * out of the folder, and nothing is lost that the patch does not name. Writes nothing.
 */
export function v4aPatchChecker(): PatchChecker {
  return {
    async check(patch, workFolder) {
      const plan = await planInFolder(workFolder, patch, { format: 'v4a' })
      if (plan.kind === 'planned') return { kind: 'applies', files: plan.changes.map(({ path }) => path) }
      return refusalOf(plan.problems)
    },
  }
}

/** Takes a V4A patch or a unified diff, whichever it is given; {@link gitPatchChecker} checks the latter. */
export function anyPatchChecker(): PatchChecker {
  const checkers = { v4a: v4aPatchChecker(), unified: gitPatchChecker() }
  return {
    check: (patch, workFolder, signal) => checkers[patchFormatOf(patch)].check(patch, workFolder, signal),
  }
}

function refusalOf(problems: readonly PatchProblem[]): PatchCheck {
  const [first] = problems
  const line = first?.nearest?.firstLine ?? first?.places?.[0]
  const place = first?.path === undefined ? undefined : `${first.path}${line === undefined ? '' : `:${line}`}`
  const reason = problems.map(describeProblem).join('; ')
  return { kind: 'does-not-apply', reason, ...(place === undefined ? {} : { place }) }
}
