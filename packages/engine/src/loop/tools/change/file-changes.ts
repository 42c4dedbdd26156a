import {
  decodeTextFile,
  textWithMark,
  type ChangeSet,
  type FileImage,
} from '../../../analysis/patch/index.ts'
import type { FileChange } from '../../../ports/gate.ts'

/** The changes as the gate looks at them: as texts, wherever a patch or an edit could change them as texts. */
export function fileChangesOf(changes: ChangeSet): readonly FileChange[] {
  return changes.map(({ path, before, after }) => ({ path, before: textOf(before), after: textOf(after) }))
}

function textOf(image: FileImage | null): string | null | undefined {
  if (image === null) return null
  const decoded = decodeTextFile(image.bytes)
  return decoded.kind === 'text' ? textWithMark(decoded) : undefined
}
