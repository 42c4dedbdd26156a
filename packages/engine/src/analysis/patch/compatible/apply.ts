import type { AddHunk, DeleteHunk, Hunk, UpdateHunk } from '../hunk.ts'
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
  for (const hunk of parsed.hunks) {
    const applied = await applyHunk(hunk, files, folder)
    if (applied.kind === 'failed') return failure(applied.message)
    done[applied.letter].push(applied.path)
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
type Applied = { readonly kind: 'applied'; readonly letter: Letter; readonly path: string } | Failed
interface Failed {
  readonly kind: 'failed'
  readonly message: string
}

async function applyHunk(hunk: Hunk, files: CompatibleFiles, folder: string): Promise<Applied> {
  const invalid = [hunk.path].find((path) => path.includes('\0'))
  if (invalid !== undefined) return failedApply(`'${invalid}' is invalid on 'linux'`)
  switch (hunk.kind) {
    case 'add':
      return applyAdd(hunk, files, folder)
    case 'delete':
      return applyDelete(hunk, files, folder)
    case 'update':
      return applyUpdate(hunk, files, folder)
  }
}

async function applyAdd({ path, lines }: AddHunk, files: CompatibleFiles, folder: string): Promise<Applied> {
  const content = lines.map((line) => `${line}\n`).join('')
  return (await create(joinPath(folder, path), content, files)) ?? { kind: 'applied', letter: 'A', path }
}

async function applyDelete({ path }: DeleteHunk, files: CompatibleFiles, folder: string): Promise<Applied> {
  const absolute = joinPath(folder, path)
  if (await files.remove(absolute)) return { kind: 'applied', letter: 'D', path }
  return failedApply(`Failed to delete file ${absolute}`)
}

async function applyUpdate(hunk: UpdateHunk, files: CompatibleFiles, folder: string): Promise<Applied> {
  const absolute = joinPath(folder, hunk.path)
  const text = await readText(absolute, files)
  if (text.kind === 'invalid')
    return failedApply(`Failed to read file to update ${absolute}: ${text.problem}`)
  const updated = updateContent(text.text, hunk.chunks, absolute)
  if (updated.kind === 'failed') return updated
  if (hunk.moveTo !== undefined) return move(absolute, hunk.moveTo, updated.content, files, folder)
  const written = await files.write(absolute, encodeUtf8(updated.content))
  if (written === 'written') return { kind: 'applied', letter: 'M', path: hunk.path }
  return failedApply(`Failed to write file ${absolute}`)
}

async function readText(
  absolute: string,
  files: CompatibleFiles,
): Promise<{ kind: 'text'; text: string } | { kind: 'invalid'; problem: string }> {
  const read = await files.read(absolute)
  return read.kind === 'read' ? decodeUtf8(read.bytes) : { kind: 'invalid', problem: read.problem }
}

/** Written first, then the original is removed: also where both are the same file. */
async function move(
  from: string,
  path: string,
  content: string,
  files: CompatibleFiles,
  folder: string,
): Promise<Applied> {
  if (path.includes('\0')) return failedApply(`'${path}' is invalid on 'linux'`)
  const problem = await create(joinPath(folder, path), content, files)
  if (problem !== undefined) return problem
  if (await files.remove(from)) return { kind: 'applied', letter: 'M', path }
  return failedApply(`Failed to remove original ${from}`)
}

async function create(
  absolute: string,
  content: string,
  files: CompatibleFiles,
): Promise<Failed | undefined> {
  const bytes = encodeUtf8(content)
  let written = await files.write(absolute, bytes)
  if (written === 'no-folder') {
    if (!(await files.createFolderOf(absolute)))
      return failedApply(`Failed to create parent directories for ${absolute}`)
    written = await files.write(absolute, bytes)
  }
  return written === 'written' ? undefined : failedApply(`Failed to write file ${absolute}`)
}

function failedApply(message: string): Failed {
  return { kind: 'failed', message }
}

function failure(message: string): CompatibleResult {
  return { exitCode: 1, stdout: '', stderr: `${message}\n` }
}
