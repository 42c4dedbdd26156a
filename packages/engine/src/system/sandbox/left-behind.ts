/**
 * What a confined process left in the tree that works outside of the sandbox: a repository of its own whose settings or hooks
 * name programs, which the next `git status` of the user would run, and files that run with the rights of their owner.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, lstat, readFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { setAside, startingParts } from './git-settings.ts'
import { realPath } from './real-path.ts'

export interface Watched {
  readonly workFolder: string
  /** Git folders outside of the work folder that a process may write to. */
  readonly gitFolders: readonly string[]
  /** Files that it cannot change. */
  readonly fixed: readonly string[]
  /** Files that had rights of their owner or group before any process has run. */
  readonly privileged: ReadonlySet<string>
}

/** The git folders and files with rights of their owner that are there. */
export interface TreeTraces {
  readonly gitFolders: ReadonlySet<string>
  readonly privileged: ReadonlySet<string>
}

const programs = ['/usr/bin/find', '/bin/find', '/run/current-system/sw/bin/find'] as const
/** In bytes, of all names. */
const maxOutputLength = 64 * 1024 * 1024

/** @throws {Error} where the tree cannot be looked through: then nobody knows what a process leaves in it */
export async function treeTraces(roots: readonly string[]): Promise<TreeTraces> {
  const found = await findAll(roots, ['(', ...names, '-o', ...rights, ')'])
  const privileged = found.filter((path) => !isNamed(path))
  return { gitFolders: await foldersAt(found.filter(isNamed)), privileged: new Set(privileged) }
}

/** Names alone: the rights of a file cost a question each, which takes as long again. @throws as `treeTraces` */
async function gitFoldersIn(roots: readonly string[]): Promise<ReadonlySet<string>> {
  return foldersAt(await findAll(roots, names))
}

const names = ['(', '-iname', 'HEAD', '-o', '-iname', '.git', ')'] as const
const rights = ['-type', 'f', '(', '-perm', '-4000', '-o', '-perm', '-2000', ')'] as const

function isNamed(path: string): boolean {
  return /^(?:head|\.git)$/i.test(basename(path))
}

async function foldersAt(named: readonly string[]): Promise<ReadonlySet<string>> {
  const folders = await Promise.all(named.map(gitFolderAt))
  return new Set(folders.flatMap((folder) => folder ?? []))
}

async function findAll(roots: readonly string[], wanted: readonly string[]): Promise<readonly string[]> {
  const program = programs.find((path) => existsSync(path))
  if (program === undefined)
    throw new Error(`there is no program "find" in ${programs.map(dirname).join(', ')}`)
  const words = [...roots, '-xdev', ...wanted, '-print0']
  return await new Promise((done) => {
    // A folder that cannot be read is none that git could read.
    execFile(program, words, { maxBuffer: maxOutputLength }, (_, stdout) => {
      done(stdout.split('\0').filter((path) => path !== ''))
    })
  })
}

/** Undefined: it belongs to none. */
async function gitFolderAt(path: string): Promise<string | undefined> {
  if (basename(path).toLowerCase() === 'head') {
    const folder = dirname(path)
    const kinds = await Promise.all(
      ['objects', 'commondir'].map((name) => lstat(join(folder, name)).catch(() => undefined)),
    )
    return kinds.some((kind) => kind !== undefined) ? folder : undefined
  }
  const kind = await lstat(path).catch(() => undefined)
  if (kind?.isFile() !== true) return kind?.isSymbolicLink() === true ? realPath(path) : undefined
  const target = /^gitdir: (.+)/.exec(await readFile(path, 'utf8').catch(() => ''))?.[1]
  return target === undefined ? undefined : realPath(resolve(dirname(path), target.trim()))
}

/**
 * Looks now, and gives what looks again when the process has ended and makes harmless what it left.
 * @returns what was done, a sentence each
 */
export async function watchTree(watched: Watched): Promise<() => Promise<readonly string[]>> {
  const roots = [watched.workFolder, ...watched.gitFolders]
  const before = await gitFoldersIn(roots)
  const known = new Set((await startingIn(before, watched)).map(placeOf))
  return async () => {
    const after = await treeTraces(roots)
    const parts = (await startingIn(after.gitFolders, watched)).filter((part) => !known.has(placeOf(part)))
    const reported: string[] = []
    for (const part of parts) reported.push(await withoutPart(placeOf(part), watched))
    for (const file of after.privileged)
      if (!watched.privileged.has(file)) reported.push(await withoutRights(file, watched))
    return reported
  }
}

interface Part {
  readonly folder: string
  readonly name: string
}

function placeOf({ folder, name }: Part): string {
  return join(folder, name)
}

/** Of git folders whose settings a process can change. */
async function startingIn(gitFolders: ReadonlySet<string>, { fixed }: Watched): Promise<readonly Part[]> {
  const isTrusted = (folder: string) => fixed.includes(join(folder, 'config'))
  const open = [...gitFolders].filter((folder) => !isTrusted(folder))
  const parts = await Promise.all(
    open.map(async (folder) => (await startingParts(folder, isTrusted)).map((name) => ({ folder, name }))),
  )
  return parts.flat()
}

async function withoutPart(path: string, { workFolder }: Watched): Promise<string> {
  const aside = await setAside(path)
  return `${relative(workFolder, path)} could make git run programs outside of the sandbox, and is set aside as ${aside}`
}

async function withoutRights(file: string, { workFolder }: Watched): Promise<string> {
  const { mode } = await lstat(file)
  await chmod(file, mode & 0o1777)
  return `${relative(workFolder, file)} ran with the rights of its owner or group, which were taken from it`
}
