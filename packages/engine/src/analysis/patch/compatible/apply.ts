import type { Hunk, UpdateHunk } from '../hunk.ts'
import { parsePatch } from '../parse.ts'
import { decodeUtf8, encodeUtf8 } from '../utf8.ts'
import { joinPath } from './paths.ts'
import type { CompatibleFiles } from './port.ts'
import { updateContent } from './update.ts'

/** What the program leaves behind beside the files. */
export interface CompatibleResult {
  readonly exitCode: 0 | 1 | 2
  readonly stdout: string
  readonly stderr: string
}

/**
 * Applies a V4A patch just as the reference program does, its partial effects and known defects included: an error in
 * the middle leaves what was done before it, and a file that is moved onto itself is deleted. Not confined to the folder.
 * @param folder absolute; where relative paths begin
 */
export async function applyCompatible(
  patch: string | Uint8Array,
  files: CompatibleFiles,
  folder: string,
): Promise<CompatibleResult> {
  const decoded = typeof patch === 'string' ? { kind: 'text' as const, text: patch } : decodeUtf8(patch)
  if (decoded.kind === 'invalid') return failure('Error: apply_patch requires a UTF-8 PATCH argument.')
  const parsed = parsePatch(decoded.text, { dialect: 'codex' })
  if (parsed.kind === 'invalid') return failure(parsed.message)
  if (parsed.hunks.length === 0) return failure('No files were modified.')
  const done: Record<Letter, string[]> = { A: [], M: [], D: [] }
  try {
    for (const hunk of parsed.hunks) await applyHunk(hunk, { files, folder, done })
  } catch (error) {
    if (!(error instanceof ApplyFault)) throw error
    return failure(error.message)
  }
  const lines = (['A', 'M', 'D'] as const).flatMap((letter) =>
    done[letter].map((path) => `${letter} ${path}\n`),
  )
  return {
    exitCode: 0,
    stdout: `Success. Updated the following files:\n${lines.join('')}`,
    stderr: '',
  }
}

type Letter = 'A' | 'M' | 'D'
/** What ends the application, in the words of the reference. Never leaves this file but as a result. */
class ApplyFault extends Error {}

interface Application {
  readonly files: CompatibleFiles
  readonly folder: string
  readonly done: Record<Letter, string[]>
}

async function applyHunk(hunk: Hunk, application: Application): Promise<void> {
  const { files, folder, done } = application
  const { path } = hunk
  const absolute = joinPath(folder, pathWithoutZero(path))
  switch (hunk.kind) {
    case 'add':
      await create(absolute, hunk.lines.map((line) => `${line}\n`).join(''), files)
      done.A.push(path)
      return
    case 'delete':
      if (!(await files.remove(absolute))) throw new ApplyFault(`Failed to delete file ${absolute}`)
      done.D.push(path)
      return
    case 'update':
      done.M.push(await applyUpdate(hunk, absolute, application))
  }
}

/** @returns the path that is told */
async function applyUpdate(
  { path, moveTo, chunks }: UpdateHunk,
  absolute: string,
  { files, folder }: Application,
): Promise<string> {
  const read = await files.read(absolute)
  const text = read.kind === 'read' ? decodeUtf8(read.bytes) : read
  if (text.kind !== 'text') throw new ApplyFault(`Failed to read file to update ${absolute}: ${text.problem}`)
  const updated = updateContent(text.text, chunks, absolute)
  if (updated.kind === 'failed') throw new ApplyFault(updated.message)
  if (moveTo === undefined) {
    const written = await files.write(absolute, encodeUtf8(updated.content))
    if (written !== 'written') throw new ApplyFault(`Failed to write file ${absolute}`)
    return path
  }
  // Written first, then the original is removed: also where both are the same file.
  await create(joinPath(folder, pathWithoutZero(moveTo)), updated.content, files)
  if (!(await files.remove(absolute))) throw new ApplyFault(`Failed to remove original ${absolute}`)
  return moveTo
}

async function create(absolute: string, content: string, files: CompatibleFiles): Promise<void> {
  const bytes = encodeUtf8(content)
  let written = await files.write(absolute, bytes)
  if (written === 'no-folder') {
    if (!(await files.createFolderOf(absolute)))
      throw new ApplyFault(`Failed to create parent directories for ${absolute}`)
    written = await files.write(absolute, bytes)
  }
  if (written !== 'written') throw new ApplyFault(`Failed to write file ${absolute}`)
}

function pathWithoutZero(path: string): string {
  if (path.includes('\0')) throw new ApplyFault(`'${path}' is invalid on 'linux'`)
  return path
}

function failure(message: string): CompatibleResult {
  return { exitCode: 1, stdout: '', stderr: `${message}\n` }
}
