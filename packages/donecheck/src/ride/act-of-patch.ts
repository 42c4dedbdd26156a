import { confinedFiles } from '../files/index.ts'
import { decodeTextFile, markedText, planPatch, type FileImage } from '../patch/index.ts'
import type { FileChange } from '../ports.ts'

/** What a patch would do to the files of a folder. Undefined: it does not apply, or nobody can read it. */
export async function changesOfPatch(
  patch: string,
  workFolder: string,
): Promise<readonly FileChange[] | undefined> {
  const plan = await planPatch(patch, confinedFiles(workFolder))
  if (plan.kind === 'refused') return undefined
  return plan.changes.map(({ path, before, after }) => ({
    path,
    before: textOf(before),
    after: textOf(after),
  }))
}

function textOf(image: FileImage | null): string | null | undefined {
  if (image === null) return null
  const decoded = decodeTextFile(image.bytes)
  return decoded.kind === 'text' ? markedText(decoded) : undefined
}
