import {
  planPatch,
  planUnifiedDiff,
  type FileLook,
  type PatchFiles,
  type Plan,
} from '../../analysis/patch/index.ts'
import { confine } from './confine.ts'
import { maxFileBytes, readBytes } from './read-bytes.ts'

export type PatchFormat = 'v4a' | 'unified'

/** What a patch would do to the files of a folder as they are now. Writes nothing. */
export async function planInFolder(
  root: string,
  text: string,
  { format }: { readonly format?: PatchFormat } = {},
): Promise<Plan> {
  if (text.trim() === '') {
    const message = 'there is no patch: the input is empty'
    return { kind: 'refused', problems: [{ kind: 'malformed', message }] }
  }
  const plan = (format ?? patchFormatOf(text)) === 'v4a' ? planPatch : planUnifiedDiff
  return plan(text, confinedFiles(root))
}

/** By its first line, that of a heredoc around it apart. What is neither is taken for V4A, which says so best. */
export function patchFormatOf(text: string): PatchFormat {
  const isV4a = /^\s*(?:<<\s*(['"]?)\w+\1\s*\n\s*)?\*\*\* Begin Patch\s*$/mu.test(firstLines(text))
  return isV4a || !/^(?:diff --git |--- |Index: )/mu.test(text) ? 'v4a' : 'unified'
}

function firstLines(text: string): string {
  return text.trimStart().split('\n', 2).join('\n')
}

/** The regular files of a folder, with symlinks resolved; whatever leads out of it, or is too large, is refused. */
export function confinedFiles(root: string): PatchFiles {
  return {
    look: async (path): Promise<FileLook> => {
      const file = await confine(root, path)
      if (file.kind === 'outside') return { kind: 'refused', reason: file.reason }
      const found = await readBytes(file.absolute, maxFileBytes)
      switch (found.kind) {
        case 'file':
          return { kind: 'file', path: file.relative, image: { bytes: found.bytes, mode: found.mode } }
        case 'missing':
          return { kind: 'missing', path: file.relative }
        case 'unreadable':
          return { kind: 'refused', reason: `${file.relative} ${found.problem}` }
      }
    },
  }
}
