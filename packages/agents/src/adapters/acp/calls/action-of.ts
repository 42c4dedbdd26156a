/** What a call that asks for permission is about to do: the gate decides by it. Looks at the files that it names. */
import { isAbsolute, join, relative } from 'node:path'
import { readTextFile, resolveLinks } from '@donecheck/engine/files'
import type { Action, FileChange } from '@donecheck/engine/ports/gate'
import { scriptFolderOf, scriptOf } from './script-of.ts'
import { isRecord, type ToolCallNews, type ToolContent } from './tool-call.ts'

type Diff = Extract<ToolContent, { kind: 'diff' }>

/** Content as text; null: there is no such file; undefined: nobody can say. */
type FileText = string | null | undefined

/** Undefined: it does not tell, and only its effect is known. Never rejects. */
export async function readAction(call: ToolCallNews, folder: string): Promise<Action | undefined> {
  if (call.kind === 'execute') return commandOf(call, folder)
  const diffs = (call.content ?? []).filter((part) => part.kind === 'diff')
  const isChange = call.kind === 'edit' || call.kind === 'delete' || call.kind === 'move'
  if (!isChange && diffs.length === 0) return undefined
  const paths = new Set([...diffs.map(({ path }) => path), ...(isChange ? (call.paths ?? []) : [])])
  if (paths.size === 0) return undefined
  const files = await Promise.all(
    [...paths].map((path) =>
      readChange(
        path,
        diffs.filter((diff) => diff.path === path),
        { call, folder },
      ),
    ),
  )
  return { kind: 'change', files }
}

function commandOf(call: ToolCallNews, folder: string): Action | undefined {
  const script = scriptOf(call)
  if (script === undefined) return undefined
  const reported = scriptFolderOf(call) ?? folder
  return { kind: 'command', script, folder: isAbsolute(reported) ? reported : join(folder, reported) }
}

interface ChangeContext {
  readonly call: ToolCallNews
  readonly folder: string
}

/** A path without a diff: that it changes is known, and how is not. */
async function readChange(
  path: string,
  diffs: readonly Diff[],
  { call, folder }: ChangeContext,
): Promise<FileChange> {
  const absolute = isAbsolute(path) ? path : join(folder, path)
  const target = await resolveLinks(absolute)
  const root = await resolveLinks(folder)
  if (target.kind === 'failed' || root.kind === 'failed')
    return { path: isAbsolute(path) ? path : `../${path}`, before: undefined, after: undefined }
  const before = await readTextFile(target.path)
  const shown = relative(root.path, target.path)
  if (diffs.length === 0) return { path: shown, before, after: call.kind === 'delete' ? null : undefined }
  const replacesAll = isRecord(call.input) && (call.input['replace_all'] ?? call.input['replaceAll']) === true
  return { path: shown, before, after: changedText(before, diffs, replacesAll) }
}

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
