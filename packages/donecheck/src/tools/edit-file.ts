import { z } from 'zod'
import type { PreparedCall, Tool } from '../ports.ts'
import { changeFile, longestChangedBytes, type ChangeRequest, type ExistingFile } from './change-file.ts'
import { confine } from './confine.ts'
import { defineTool, invalid } from './define-tool.ts'
import { pathArgument, textArgument } from './file-arguments.ts'
import { readBytes } from './read-bytes.ts'
import { replaceText } from './replace-text.ts'
import { noSuchFile } from './suggest.ts'
import { decodeText, encodeText } from './text-file.ts'

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

/** Replaces a piece of a text file. Byte order mark, line endings and mode of the file stay as they are. */
export function editFileTool(workFolder: string): Tool {
  return defineTool<EditFileArgs>({
    name: 'edit_file',
    description:
      'Replaces a text in a file by another. The old text must occur exactly once, unless replace_all is set.',
    effect: 'write',
    schema,
    async prepare(args) {
      const { path } = args
      const file = await confine(workFolder, path)
      if (file.kind === 'outside') return invalid(file.reason)
      const found = await readBytes(file.absolute, longestChangedBytes)
      if (found.kind === 'missing')
        return invalid(`edit_file changes what exists, write_file creates: ${await noSuchFile(file)}`)
      if (found.kind === 'unreadable') return invalid(`${file.relative} ${found.problem}`)
      return editFile({ workFolder, path, file, verb: 'edit' }, found, args)
    },
  })
}

function editFile(
  request: Omit<ChangeRequest, 'before' | 'after'>,
  before: ExistingFile,
  args: EditFileArgs,
): PreparedCall {
  const { relative } = request.file
  const decoded = decodeText(before.bytes)
  if (decoded.kind !== 'text') {
    const what = decoded.kind === 'binary' ? 'a binary file' : 'not valid UTF-8'
    return invalid(`${relative} is ${what} (${before.bytes.length} bytes): an edit would corrupt it`)
  }
  const ending = decoded.format.lineEnding
  const replaced = replaceText(decoded.text, {
    oldText: ending === 'crlf' ? args.old_text.replaceAll('\r\n', '\n') : args.old_text,
    newText: ending === 'crlf' ? args.new_text.replaceAll('\r\n', '\n') : args.new_text,
    replaceAll: args.replace_all ?? false,
    maxLength: longestChangedBytes,
  })
  if (replaced.kind === 'not-replaced') return invalid(`${relative}: ${replaced.reason}`)
  return changeFile({ ...request, before, after: encodeText(replaced.text, decoded.format) })
}
