/** What becomes of a file's text by what a call shows of it. Pure. */
import type { ToolContent } from './tool-call.ts'

export type Diff = Extract<ToolContent, { kind: 'diff' }>

/** Content as text; null: there is no such file; undefined: nobody can say. */
export type FileText = string | null | undefined

/**
 * Some agents show whole files, some the piece that is replaced, some one piece for each place.
 * @param replacesAll the piece is replaced wherever it stands
 */
export function changedText(before: FileText, diffs: readonly Diff[], replacesAll: boolean): FileText {
  return diffs.reduce((text: FileText, diff) => afterDiff(text, diff, replacesAll), before)
}

function afterDiff(before: FileText, { oldText, newText, isDeletion }: Diff, replacesAll: boolean): FileText {
  if (isDeletion) return null
  // No piece of a file that there is: then it is the whole.
  if (oldText === null) return newText
  if (before === undefined) return undefined
  if (before === oldText || ((before ?? '') === '' && oldText === '')) return newText
  if (before === null || oldText === '') return undefined
  const pieces = before.split(oldText)
  if (pieces.length === 2 || (replacesAll && pieces.length > 2)) return pieces.join(newText)
  return undefined
}
