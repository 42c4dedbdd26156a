/** What a call that asks for permission is about to do: the gate decides by it. Looks at the files that it names. */
import { isAbsolute, join, relative } from 'node:path'
import { maxFileBytes, readBytes, resolveLinks } from '@donecheck/engine/files'
import { decodeTextFile, textWithMark } from '@donecheck/engine/patch'
import type { Action, FileChange } from '@donecheck/engine/ports/gate'
import { changedText, type Diff, type FileText } from './changed-text.ts'
import { scriptFolderOf, scriptOf } from './script-of.ts'
import { isRecord, type ToolCallNews } from './tool-call.ts'

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

async function readTextFile(absolute: string): Promise<FileText> {
  const read = await readBytes(absolute, maxFileBytes)
  if (read.kind === 'missing') return null
  if (read.kind === 'unreadable') return undefined
  const decoded = decodeTextFile(read.bytes)
  return decoded.kind === 'text' ? textWithMark(decoded) : undefined
}
