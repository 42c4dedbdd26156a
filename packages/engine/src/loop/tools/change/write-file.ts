import { Buffer } from 'node:buffer'
import { z } from 'zod'
import { confine, maxFileBytes, newFileMode, readBytes } from '../../../system/files/index.ts'
import { decodeTextFile } from '../../../analysis/patch/index.ts'
import type { Tool } from '../../../ports/loop.ts'
import { changeFile } from './change-file.ts'
import { defineTool, invalid, outside, type WorkTree, pathArgument, textArgument } from '../define-tool.ts'

const schema = z.strictObject({
  path: pathArgument.describe('File to write, relative to the work folder. Missing folders are created.'),
  content: textArgument.describe('The whole content of the file, written exactly as it is.'),
})

/** Creates a text file, or replaces one as a whole. What is no text is never overwritten. */
export function writeFileTool(tree: WorkTree): Tool {
  return defineTool<z.infer<typeof schema>>({
    name: 'write_file',
    description:
      'Writes a text file as a whole: creates it, or replaces all of its content. To change a part, use edit_file.',
    effect: 'write',
    schema,
    async prepare({ path, content }) {
      const file = await confine(tree.workFolder, path)
      if (file.kind === 'outside') return outside(file.reason)
      const found = await readBytes(file.absolute, maxFileBytes)
      if (found.kind === 'unreadable') return invalid(`${file.relative} ${found.problem}`)
      const before = found.kind === 'file' ? found : null
      const problem = before === null ? undefined : problemOf(before.bytes)
      if (problem !== undefined) return invalid(`${file.relative} ${problem}`)
      const after = { bytes: Buffer.from(content), mode: before?.mode ?? newFileMode() }
      const change = { path: file.relative, before, after }
      return changeFile({ tree, path, file, verb: 'write', change })
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
