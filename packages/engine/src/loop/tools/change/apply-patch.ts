import { z } from 'zod'
import { confinedFiles } from '../../../system/files/index.ts'
import { planPatch } from '../../../analysis/patch/index.ts'
import type { Tool } from '../../../ports/loop.ts'
import { changeFiles } from './change-files.ts'
import { defineTool, type WorkTree, textArgument } from '../define-tool.ts'

const schema = z.strictObject({
  patch: textArgument
    .min(1)
    .describe('The whole patch, from the line "*** Begin Patch" to the line "*** End Patch".'),
})

const description = `Changes many files at once, all or none. The patch is a text:
*** Begin Patch
*** Add File: path (every line of it after a +)
*** Delete File: path
*** Update File: path (then, if it moves, the line *** Move to: path)
@@ a line above the change, where the lines below are not unique
 a line that stays, then -lines that go, then +lines that come, with enough lines around to be unique
*** End Patch
Paths are relative to the work folder.`

/**
 * Applies a V4A patch: an object with the patch in it, or the patch itself as a string. One that does not apply as a whole is
 * refused before anything is written, and the reason names every chunk that has no place.
 */
export function applyPatchTool(tree: WorkTree): Tool {
  const tool = defineTool<z.infer<typeof schema>>({
    name: 'apply_patch',
    description,
    effect: 'write',
    schema,
    prepare: async ({ patch }) => changeFiles(tree, await planPatch(patch, confinedFiles(tree.workFolder))),
  })
  return { ...tool, prepare: (args) => tool.prepare(typeof args === 'string' ? { patch: args } : args) }
}
