import { z } from 'zod'
import { confine, confinedFiles, type ConfinedPath } from '../../../system/files/index.ts'
import { describeProblems, planExactEdits, type PatchProblem } from '../../../analysis/patch/index.ts'
import type { PreparedCall, Tool } from '../../../ports/loop.ts'
import { changeFile } from './change-file.ts'
import {
  defineTool,
  invalid,
  invalidEdit,
  outside,
  type WorkTree,
  pathArgument,
  textArgument,
} from '../define-tool.ts'
import { noSuchFile } from '../read-file.ts'

const schema = z.strictObject({
  path: pathArgument.describe('File to edit, relative to the work folder.'),
  old_text: textArgument
    .min(1)
    .describe('Text to replace, exactly as it stands in the file, white space included.'),
  new_text: textArgument.describe('Text to put in its place.'),
  replace_all: z
    .boolean()
    .optional()
    .describe('Replace every occurrence. Default false: there must be exactly one.'),
})

type EditFileArgs = z.infer<typeof schema>

/** Replaces a piece of a text file. Encoding, byte order mark, line endings and mode of the file stay as they are. */
export function editFileTool(tree: WorkTree): Tool {
  return defineTool<EditFileArgs>({
    name: 'edit_file',
    description:
      'Replaces a text in a file by another. The old text must occur exactly once, unless replace_all is set.',
    effect: 'write',
    schema,
    async prepare(args) {
      const file = await confine(tree.workFolder, args.path)
      return file.kind === 'outside' ? outside(file.reason) : editFile(tree, file, args)
    },
  })
}

async function editFile(tree: WorkTree, file: ConfinedPath, args: EditFileArgs): Promise<PreparedCall> {
  const { path, old_text: oldText, new_text: newText, replace_all: replaceAll = false } = args
  const edit = { path: file.relative, oldText, newText, replaceAll }
  const plan = await planExactEdits([edit], confinedFiles(tree.workFolder))
  if (plan.kind === 'refused') return refuseEdit(plan.problems, file)
  const [change] = plan.changes
  // Line feeds stand for the line endings of the file: two texts can come to the same.
  if (change === undefined)
    return invalid(`${file.relative}: the old and the new text are the same: nothing would change`)
  return changeFile({ tree, path, file, verb: 'edit', change })
}

async function refuseEdit(problems: readonly PatchProblem[], file: ConfinedPath): Promise<PreparedCall> {
  if (problems.some(({ kind }) => kind === 'missing-file'))
    return invalid(`edit_file changes what exists, write_file creates: ${await noSuchFile(file)}`)
  return invalidEdit(describeProblems(problems))
}
