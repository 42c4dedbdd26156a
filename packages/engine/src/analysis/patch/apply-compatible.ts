import { decodeUtf8, encodeUtf8 } from './file-text.ts'
import { type Hunk, parsePatch, type UpdateHunk } from './patch-text.ts'
import { applyChunks } from './plan-patch.ts'

/**
 * The file system as the reference uses it: files are written in place, symlinks are followed, nothing is confined.
 * Paths are absolute and normal. Nothing rejects.
 */
export interface CompatibleFiles {
  /** `problem` in the words of the reference, such as `No such file or directory (os error 2)`. */
  read(path: string): Promise<ReadBytes>
  /** Keeps mode, links and inode of a file that is there. */
  write(path: string, bytes: Uint8Array): Promise<'written' | 'no-folder' | 'failed'>
  /** @returns whether the folder of the file is there now */
  createFolderOf(path: string): Promise<boolean>
  /**
   * A symlink goes, not what it leads to.
   * @returns false where nothing is there, a folder, a link that leads to a folder or to nothing, or it may not be deleted
   */
  remove(path: string): Promise<boolean>
}

type ReadBytes =
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  | { readonly kind: 'failed'; readonly problem: string }

/** What the program leaves behind beside the files. */
interface CompatibleResult {
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
  const lines = letters.flatMap((letter) => done[letter].map((path) => `${letter} ${path}\n`))
  const stdout = `Success. Updated the following files:\n${lines.join('')}`
  return { exitCode: 0, stdout, stderr: '' }
}

/** In the order in which they are told. */
const letters = ['A', 'M', 'D'] as const
type Letter = (typeof letters)[number]

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
  const updated = applyChunks(text.text, chunks, absolute, false)
  if (updated.kind === 'failed') throw new ApplyFault(updated.problems[0]?.message)
  if (moveTo === undefined) {
    const written = await files.write(absolute, encodeUtf8(updated.text))
    if (written !== 'written') throw new ApplyFault(`Failed to write file ${absolute}`)
    return path
  }
  // Written first, then the original is removed: also where both are the same file.
  await create(joinPath(folder, pathWithoutZero(moveTo)), updated.text, files)
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

/**
 * Where a path of a patch leads, as the reference joins it: by its text alone, so that `link/..` is not where the link
 * leads to. It may leave the folder. There it goes through a file URL, in which tabs and carriage returns count for nothing.
 * @param folder absolute
 */
export function joinPath(folder: string, path: string): string {
  const reported = path.replaceAll(/[\t\r]/gu, '')
  const parts: string[] = []
  for (const part of (reported.startsWith('/') ? reported : `${folder}/${reported}`).split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return `/${parts.join('/')}`
}

/** How the program was started. */
interface CompatibleInvocation {
  /** Without the name of the program; the one argument is the patch. */
  readonly words: readonly (string | Uint8Array)[]
  /** Read where there is no argument. */
  readonly standardInput: () => Promise<Uint8Array>
}

const usage = "Usage: apply_patch 'PATCH'\n       echo 'PATCH' | apply_patch\n"

/**
 * The command `apply_patch` of the reference, from its arguments on.
 * @throws what `standardInput` throws
 */
export async function invokeCompatible(
  { words, standardInput }: CompatibleInvocation,
  files: CompatibleFiles,
  folder: string,
): Promise<CompatibleResult> {
  const [patch] = words
  if (words.length > 1)
    return { exitCode: 2, stdout: '', stderr: 'Error: apply_patch accepts exactly one argument.\n' }
  if (patch !== undefined) return applyCompatible(patch, files, folder)
  const bytes = await standardInput()
  if (bytes.length === 0) return { exitCode: 2, stdout: '', stderr: usage }
  const decoded = decodeUtf8(bytes)
  if (decoded.kind === 'text') return applyCompatible(decoded.text, files, folder)
  const stderr = 'Error: Failed to read PATCH from stdin.\nstream did not contain valid UTF-8\n'
  return { exitCode: 1, stdout: '', stderr }
}
