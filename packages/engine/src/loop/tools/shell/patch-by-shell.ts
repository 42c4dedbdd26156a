import { join } from 'node:path'
import { confine, confinedFiles } from '../../../system/files/index.ts'
import { planPatch, type ChangedFile, type Plan } from '../../../analysis/patch/index.ts'
import type { PreparedCall, ToolOutcome } from '../../../ports/loop.ts'
import { patchInShell } from '../../../analysis/shell/index.ts'
import { changeFiles } from '../change/change-files.ts'
import { invalidPatch, outside } from '../define-tool.ts'
import type { WorkTree } from '../work-tree.ts'

/**
 * A command line that only applies a patch is no command: it is planned, shown and made like a call of `apply_patch`.
 * Undefined: it is anything else.
 */
export async function preparePatchByShell(
  tree: WorkTree,
  command: string,
): Promise<PreparedCall | undefined> {
  const found = patchInShell(command)
  switch (found.kind) {
    case 'none':
      return undefined
    case 'raw-patch':
      return invalidPatch('this is a patch, not a command: call apply_patch with it')
    case 'patch':
      return found.folder === null
        ? changeFiles(tree, await planPatch(found.patch, confinedFiles(tree.workFolder)))
        : prepareBelow(tree, found.folder, found.patch)
  }
}

/** Paths of the patch are relative to the folder; whatever else the tree holds is out of its reach. */
async function prepareBelow(tree: WorkTree, path: string, patch: string): Promise<PreparedCall> {
  const folder = await confine(tree.workFolder, path)
  if (folder.kind === 'outside') return outside(folder.reason)
  const plan = await planPatch(patch, confinedFiles(folder.absolute))
  return changeFiles(tree, plan.kind === 'refused' ? plan : below(folder.relative, plan))
}

function below(folder: string, plan: Extract<Plan, { kind: 'planned' }>): Plan {
  const movedPath = ({ movedFrom }: ChangedFile) =>
    movedFrom === undefined ? {} : { movedFrom: join(folder, movedFrom) }
  return {
    ...plan,
    changes: plan.changes.map((change) => ({
      ...change,
      path: join(folder, change.path),
      ...movedPath(change),
    })),
  }
}

/** A shell that looks for the tool as a program finds none: says which way it can be had. */
export function withPatchHint(outcome: ToolOutcome): ToolOutcome {
  const { status, output } = outcome
  const isMissing =
    status === 'error' && /\bapply_?patch: (?:command )?not found|not found: apply_?patch\b/.test(output)
  if (!isMissing) return outcome
  return { ...outcome, output: `${output}\n[apply_patch is a tool, not a program: call it with the patch]` }
}
