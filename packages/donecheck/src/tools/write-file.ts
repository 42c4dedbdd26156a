import { Buffer } from 'node:buffer'
import { z } from 'zod'
import type { Tool } from '../ports.ts'
import { changeFile, longestChangedBytes } from './change-file.ts'
import { confine } from './confine.ts'
import { defineTool, invalid } from './define-tool.ts'
import { pathArgument, textArgument } from './file-arguments.ts'
import { readBytes } from './read-bytes.ts'
import { decodeText } from './text-file.ts'

const schema = z.strictObject({
  path: pathArgument.describe('File to write, relative to the work folder. Missing folders are created.'),
  content: textArgument.describe('The whole content of the file, written exactly as it is.'),
})

/** Creates a text file, or replaces one as a whole. What is no text is never overwritten. */
export function writeFileTool(workFolder: string): Tool {
  return defineTool<z.infer<typeof schema>>({
    name: 'write_file',
    description:
      'Writes a text file as a whole: creates it, or replaces all of its content. To change a part, use edit_file.',
    effect: 'write',
    schema,
    async prepare({ path, content }) {
      const file = await confine(workFolder, path)
      if (file.kind === 'outside') return invalid(file.reason)
      const found = await readBytes(file.absolute, longestChangedBytes)
      if (found.kind === 'unreadable') return invalid(`${file.relative} ${found.problem}`)
      const before = found.kind === 'file' ? found : undefined
      const kind = before === undefined ? 'text' : decodeText(before.bytes).kind
      if (before === undefined || kind === 'text')
        return changeFile({ workFolder, path, file, verb: 'write', before, after: Buffer.from(content) })
      const what = kind === 'binary' ? 'a binary file' : 'a file that is not valid UTF-8'
      return invalid(
        `${file.relative} is ${what} of ${before.bytes.length} bytes, and is not overwritten with text`,
      )
    },
  })
}
