import { Buffer } from 'node:buffer'
import { isDeepStrictEqual } from 'node:util'
import { commitChanges, hasMoved, readOnlyProblem, type ConfinedPath } from '../../../system/files/index.ts'
import { decodeTextFile, textWithMark, type ChangedFile } from '../../../analysis/patch/index.ts'
import type { PreparedCall, ToolOutcome } from '../../../ports/loop.ts'
import { errorOutcome, invalid, okOutcome, type WorkTree, oneLine, plainText } from '../define-tool.ts'
import { fileChangesOf } from './change-files.ts'
import { previewDiff, type DiffPreview } from './diff-preview.ts'

export interface ChangeRequest {
  readonly tree: WorkTree
  /** As the model gave it. */
  readonly path: string
  readonly file: ConfinedPath
  readonly verb: 'write' | 'edit'
  /** Of that file, which is there afterwards; a text before and after. */
  readonly change: ChangedFile
}

/** A call that gives a file another content: shown as a diff, done only while the file is what the diff was made of. */
export function changeFile(request: ChangeRequest): PreparedCall {
  const { file, verb, change } = request
  const locked = readOnlyProblem(change)
  if (locked !== undefined) return invalid(locked)
  const { added, removed, text } = previewOf(change)
  const counts =
    change.before === null ? `new, ${added} ${added === 1 ? 'line' : 'lines'}` : `+${added} -${removed}`
  const summary = `${verb} ${oneLine(file.relative)} (${counts})`
  return {
    kind: 'ready',
    summary,
    preview: text,
    action: { kind: 'change', files: fileChangesOf([change]) },
    run: () => apply(request, `${summary}: done`),
  }
}

/** Line endings and byte order marks are shown where they would change, and only there. */
function previewOf({ path, before, after }: ChangedFile): DiffPreview {
  const young = textOf(after)
  if (before === null) return previewDiff(path, null, young.marked)
  const old = textOf(before)
  return isDeepStrictEqual(old.format, young.format)
    ? previewDiff(path, old.text, young.text)
    : previewDiff(path, old.marked, young.marked)
}

function textOf(image: ChangedFile['after']) {
  const decoded = decodeTextFile(image?.bytes ?? Buffer.alloc(0))
  if (decoded.kind !== 'text') return { text: '', marked: '', format: decoded }
  const { text, lineEnding } = plainText(decoded.text)
  return { text, marked: textWithMark(decoded), format: { ...decoded.format, lineEnding } }
}

async function apply({ tree, path, file, change }: ChangeRequest, reported: string): Promise<ToolOutcome> {
  const moved = await hasMoved(tree.workFolder, path, file)
  if (moved !== undefined) return errorOutcome(moved)
  const committed = await commitChanges(tree.workFolder, [change])
  switch (committed.kind) {
    case 'committed':
      return isSame(change)
        ? { ...okOutcome(`${reported}, and nothing has changed`), changed: false }
        : okOutcome(reported)
    case 'conflict':
      // Nobody has agreed to overwrite what came in between.
      return errorOutcome(`${file.relative} has changed since the call was prepared: read it again`)
    case 'failed':
      return errorOutcome(`${file.relative} was not written: ${committed.problem}`)
  }
}

function isSame({ before, after }: ChangedFile): boolean {
  return before !== null && after !== null && Buffer.compare(before.bytes, after.bytes) === 0
}
