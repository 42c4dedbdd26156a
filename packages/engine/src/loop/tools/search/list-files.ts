import { lstat, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Tool, ToolOutcome } from '../../../ports/loop.ts'
import type { ConfinedPath } from '../../../system/files/index.ts'
import {
  defineTool,
  errorOutcome,
  okOutcome,
  allArgument,
  filesArgument,
  pathArgument,
  oneLine,
  readIn,
} from '../define-tool.ts'
import type { Dirent } from 'node:fs'

const maxDepth = 50

const schema = z.strictObject({
  path: pathArgument
    .optional()
    .describe('Folder to list, relative to the work folder. Default: the work folder.'),
  pattern: filesArgument,
  depth: z
    .int()
    .min(1)
    .max(maxDepth)
    .optional()
    .describe('Levels of folders. Default 2, or all of them with a pattern.'),
  all: allArgument,
  limit: z.int().min(1).max(5_000).optional().describe('Entries to show. Default 500.'),
})

type ListFilesArgs = z.infer<typeof schema>

/** Lists a folder. Folders end in a slash; symlinks show their target and are not followed. */
export function listFilesTool(workFolder: string): Tool {
  return defineTool<ListFilesArgs>({
    name: 'list_files',
    description: 'Lists files and folders. .git and node_modules are left out.',
    effect: 'read',
    schema,
    prepare: (args) =>
      readIn(
        workFolder,
        args.path ?? '.',
        (folder) => `list ${folder}`,
        (folder, signal) => listFiles(folder, args, signal),
      ),
  })
}

async function listFiles(
  folder: ConfinedPath,
  args: ListFilesArgs,
  signal: AbortSignal,
): Promise<ToolOutcome> {
  const stats = await lstat(folder.absolute).catch(() => undefined)
  if (stats?.isDirectory() !== true)
    return errorOutcome(
      stats === undefined ? `there is no folder ${folder.relative}` : `${folder.relative} is not a folder`,
    )
  const { pattern, limit = 500, depth = pattern === undefined ? 2 : maxDepth, all = false } = args
  const lines: string[] = []
  for await (const entry of walkTree(folder.absolute, { depth, all, signal })) {
    const path = join(folder.relative, entry.path)
    if (pattern !== undefined && (isFolder(entry) || !matchesGlob(path, pattern))) continue
    if (lines.length === limit) {
      lines.push(`[the first ${limit}; there are more: narrow it by path, pattern or depth]`)
      break
    }
    lines.push(lineOf(path, entry))
  }
  return okOutcome(lines.length === 0 ? '[no files]' : lines.join('\n'))
}

function isFolder({ kind }: WalkedEntry): boolean {
  return kind === 'folder' || kind === 'unreadable-folder'
}

function lineOf(path: string, { kind, target }: WalkedEntry): string {
  const name = oneLine(path, Infinity)
  switch (kind) {
    case 'file':
      return name
    case 'folder':
      return `${name}/`
    case 'unreadable-folder':
      return `${name}/ (cannot be listed)`
    case 'symlink':
      return `${name} -> ${oneLine(target ?? '?', Infinity)}`
    case 'other':
      return `${name} (not a regular file)`
  }
}

interface WalkedEntry {
  readonly path: string
  readonly kind: 'file' | 'folder' | 'symlink' | 'other' | 'unreadable-folder'
  /** Target of a symlink, which is never followed. */
  readonly target?: string
}

interface WalkOptions {
  readonly depth: number
  readonly all: boolean
  readonly signal: AbortSignal
}

const skippedFolders = ['.git', 'node_modules']

/** Visits everything below a folder, parents first. @throws {DOMException} `AbortError` after an abort */
export async function* walkTree(root: string, options: WalkOptions): AsyncGenerator<WalkedEntry> {
  yield* walk(root, '', await readdir(root, { withFileTypes: true }), options)
}

async function* walk(
  root: string,
  folder: string,
  entries: readonly Dirent[],
  options: WalkOptions,
): AsyncGenerator<WalkedEntry> {
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    options.signal.throwIfAborted()
    const path = join(folder, entry.name)
    if (!entry.isDirectory()) yield await readLeaf(root, path, entry)
    else if (options.all || !skippedFolders.includes(entry.name)) {
      const inside =
        options.depth > 1
          ? await readdir(join(root, path), { withFileTypes: true }).catch(() => undefined)
          : []
      yield { path, kind: inside === undefined ? 'unreadable-folder' : 'folder' }
      yield* walk(root, path, inside ?? [], { ...options, depth: options.depth - 1 })
    }
  }
}

async function readLeaf(root: string, path: string, entry: Dirent): Promise<WalkedEntry> {
  if (entry.isFile()) return { path, kind: 'file' }
  if (!entry.isSymbolicLink()) return { path, kind: 'other' }
  const target = await readlink(join(root, path)).catch(() => '?')
  return { path, kind: 'symlink', target }
}

/**
 * `*` matches part of a name, `?` a character, `**` folders; without a slash only the name must match.
 * Needs at most the product of both lengths.
 */
export function matchesGlob(path: string, pattern: string): boolean {
  if (!pattern.includes('/')) return matchesName(path.slice(path.lastIndexOf('/') + 1), pattern)
  const parts = pattern.split('/').filter((part) => part !== '' && part !== '.')
  return matchesSequence(path.split('/'), parts, '**', matchesName)
}

function matchesName(name: string, pattern: string): boolean {
  const isSame = (character: string, wanted: string) => wanted === '?' || character === wanted
  return matchesSequence(Array.from(name), Array.from(pattern), '*', isSame)
}

/** Retries only the latest wildcard, which bounds the time. */
function matchesSequence(
  items: readonly string[],
  pattern: readonly string[],
  joker: string,
  isMatch: (item: string, wanted: string) => boolean,
): boolean {
  let [item, wanted] = [0, 0]
  let retry: { readonly item: number; readonly wanted: number } | undefined
  while (item < items.length) {
    const [current, next] = [items[item] ?? '', pattern[wanted]]
    if (next === joker) {
      retry = { item, wanted }
      wanted += 1
    } else if (next !== undefined && isMatch(current, next)) {
      item += 1
      wanted += 1
    } else if (retry !== undefined) {
      retry = { item: retry.item + 1, wanted: retry.wanted }
      item = retry.item
      wanted = retry.wanted + 1
    } else return false
  }
  return pattern.slice(wanted).every((rest) => rest === joker)
}
