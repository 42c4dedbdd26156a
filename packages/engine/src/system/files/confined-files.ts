import { confine } from './confine.ts'
import type { FileLook, PatchFiles } from '../../analysis/patch/index.ts'
import { maxFileBytes } from './longest-file.ts'
import { readBytes } from './read-bytes.ts'

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
