import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Tool, ToolOutcome } from '../../../ports/loop.ts'
import { confine, hasMoved, type ConfinedPath } from '../../../system/files/index.ts'
import { defineTool, errorOutcome, okOutcome, outside } from '../define-tool.ts'
import { allArgument, filesArgument, pathArgument } from '../file-arguments.ts'
import { matchesGlob } from './glob.ts'
import { oneLine } from '../plain-text.ts'
import { walkTree, type WalkedEntry } from './walk-tree.ts'

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

/** Lists what is in a folder. Folders end in a slash; symlinks are shown with their target and not followed. */
export function listFilesTool(workFolder: string): Tool {
  return defineTool<ListFilesArgs>({
    name: 'list_files',
    description: 'Lists files and folders. .git and node_modules are left out.',
    effect: 'read',
    schema,
    async prepare(args) {
      const given = args.path ?? '.'
      const folder = await confine(workFolder, given)
      if (folder.kind === 'outside') return outside(folder.reason)
      return {
        kind: 'ready',
        summary: `list ${oneLine(folder.relative)}`,
        run: async (signal) => {
          const moved = await hasMoved(workFolder, given, folder)
          return moved === undefined ? listFiles(folder, args, signal) : errorOutcome(moved)
        },
      }
    },
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
