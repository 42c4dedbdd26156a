import { Buffer } from 'node:buffer'
import { z } from 'zod'
import {
  confine,
  maxFileBytes,
  newFileMode,
  readBytes,
  confinedFiles,
  type ConfinedPath,
} from '../../../system/files/index.ts'
import {
  decodeTextFile,
  describeProblems,
  planExactEdits,
  type PatchProblem,
  planPatch,
} from '../../../analysis/patch/index.ts'
import type { Tool, PreparedCall } from '../../../ports/loop.ts'
import { changeFile, changeFiles } from './change-files.ts'
import { defineTool, invalid, outside, pathArgument, textArgument, invalidEdit } from '../define-tool.ts'
import { noSuchFile } from '../read-file.ts'

const writeSchema = z.strictObject({
  path: pathArgument.describe('File to write, relative to the work folder. Missing folders are created.'),
  content: textArgument.describe('The whole content of the file, written exactly as it is.'),
})

/** Creates or replaces a text file; never overwrites other files. */
export function writeFileTool(workFolder: string): Tool {
  return defineTool<z.infer<typeof writeSchema>>({
    name: 'write_file',
    description:
      'Writes a text file as a whole: creates it, or replaces all of its content. To change a part, use edit_file.',
    effect: 'write',
    schema: writeSchema,
    async prepare({ path, content }) {
      const file = await confine(workFolder, path)
      if (file.kind === 'outside') return outside(file.reason)
      const found = await readBytes(file.absolute, maxFileBytes)
      if (found.kind === 'unreadable') return invalid(`${file.relative} ${found.problem}`)
      const before = found.kind === 'file' ? found : null
      const problem = before === null ? undefined : problemOf(before.bytes)
      if (problem !== undefined) return invalid(`${file.relative} ${problem}`)
      const after = { bytes: Buffer.from(content), mode: before?.mode ?? newFileMode() }
      const change = { path: file.relative, before, after }
      return changeFile({ workFolder, path, file, verb: 'write', change })
    },
  })
}

function problemOf(bytes: Uint8Array): string | undefined {
  const decoded = decodeTextFile(bytes)
  if (decoded.kind !== 'text')
    return `is a binary file of ${bytes.length} bytes, and is not overwritten with text`
  if (decoded.format.encoding === 'utf-8') return undefined
  return `is a text of ${bytes.length} bytes that is not UTF-8, and is not overwritten with UTF-8: use edit_file`
}

const editSchema = z.strictObject({
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

type EditFileArgs = z.infer<typeof editSchema>

/** Replaces a part of a text file; keeps encoding, byte order mark, line endings and mode. */
export function editFileTool(workFolder: string): Tool {
  return defineTool<EditFileArgs>({
    name: 'edit_file',
    description:
      'Replaces a text in a file by another. The old text must occur exactly once, unless replace_all is set.',
    effect: 'write',
    schema: editSchema,
    async prepare(args) {
      const file = await confine(workFolder, args.path)
      return file.kind === 'outside' ? outside(file.reason) : editFile(workFolder, file, args)
    },
  })
}

async function editFile(workFolder: string, file: ConfinedPath, args: EditFileArgs): Promise<PreparedCall> {
  const { path, old_text: oldText, new_text: newText, replace_all: replaceAll = false } = args
  const edit = { path: file.relative, oldText, newText, replaceAll }
  const plan = await planExactEdits([edit], confinedFiles(workFolder))
  if (plan.kind === 'refused') return refuseEdit(plan.problems, file)
  const [change] = plan.changes
  // Line feeds match any line ending, so two different texts may be equal here.
  if (change === undefined)
    return invalid(`${file.relative}: the old and the new text are the same: nothing would change`)
  return changeFile({ workFolder, path, file, verb: 'edit', change })
}

async function refuseEdit(problems: readonly PatchProblem[], file: ConfinedPath): Promise<PreparedCall> {
  if (problems.some(({ kind }) => kind === 'missing-file'))
    return invalid(`edit_file changes what exists, write_file creates: ${await noSuchFile(file)}`)
  return invalidEdit(describeProblems(problems))
}

const patchSchema = z.strictObject({
  patch: textArgument
    .min(1)
    .describe('The whole patch, from the line "*** Begin Patch" to the line "*** End Patch".'),
})

const patchDescription = `Changes many files at once, all or none. The patch is a text:
*** Begin Patch
*** Add File: path (every line of it after a +)
*** Delete File: path
*** Update File: path (then, if it moves, the line *** Move to: path)
@@ a line above the change, where the lines below are not unique
 a line that stays, then -lines that go, then +lines that come, with enough lines around to be unique
*** End Patch
Paths are relative to the work folder.`

/** Applies a V4A patch, all or nothing; a refusal names each chunk that does not apply. */
export function applyPatchTool(workFolder: string): Tool {
  const tool = defineTool<z.infer<typeof patchSchema>>({
    name: 'apply_patch',
    description: patchDescription,
    effect: 'write',
    schema: patchSchema,
    prepare: async ({ patch }) => changeFiles(workFolder, await planPatch(patch, confinedFiles(workFolder))),
  })
  return { ...tool, prepare: (args) => tool.prepare(typeof args === 'string' ? { patch: args } : args) }
}
