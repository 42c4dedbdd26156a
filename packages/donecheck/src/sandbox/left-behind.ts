/**
 * What a confined process left in the tree that works outside of the sandbox: a repository of its own whose settings or hooks
 * name programs, which the next `git status` of the user would run, and files that run with the rights of their owner.
 */
import { execFile } from 'node:child_process'
import { access, chmod, lstat, readFile } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { setAside, startingParts } from './git-settings.ts'
import { realPath } from './real-path.ts'

export interface Watched {
  readonly workFolder: string
  /** Git folders outside of the work folder that a process may write to. */
  readonly gitFolders: readonly string[]
  /** Files that it cannot change. */
  readonly fixed: readonly string[]
}

/** The git folders and files with rights of their owner that are there. */
export interface TreeSigns {
  readonly gitFolders: ReadonlySet<string>
  readonly privileged: ReadonlySet<string>
}

const programs = ['/usr/bin/find', '/bin/find', '/run/current-system/sw/bin/find'] as const
/** In bytes, of all names. */
const longestOutput = 64 * 1024 * 1024

/** @throws {Error} where the tree cannot be looked through: then nobody knows what a process leaves in it */
export async function treeSigns(roots: readonly string[]): Promise<TreeSigns> {
  const found = await findAll(roots)
  const named = found.filter((path) => /^(?:head|\.git)$/i.test(basename(path)))
  const folders = await Promise.all(named.map(gitFolderAt))
  const privileged = found.filter((path) => !named.includes(path))
  return {
    gitFolders: new Set(folders.flatMap((folder) => folder ?? [])),
    privileged: new Set(privileged),
  }
}

async function findAll(roots: readonly string[]): Promise<readonly string[]> {
  const usable = await Promise.all(
    programs.map((program) =>
      access(program).then(
        () => [program],
        () => [],
      ),
    ),
  )
  const [program] = usable.flat()
  if (program === undefined)
    throw new Error(`there is no program "find" in ${programs.map(dirname).join(', ')}`)
  const rights = ['-type', 'f', '(', '-perm', '-4000', '-o', '-perm', '-2000', ')']
  const names = ['(', '-iname', 'HEAD', '-o', '-iname', '.git', ')']
  const words = [...roots, '-xdev', '(', ...names, '-o', ...rights, ')', '-print0']
  return await new Promise((done) => {
    // A folder that cannot be read is none that git could read.
    execFile(program, words, { maxBuffer: longestOutput }, (_, stdout) => {
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
  const before = await treeSigns(roots)
  const known = new Set((await startingIn(before, watched)).map(placeOf))
  return async () => {
    const after = await treeSigns(roots)
    const parts = (await startingIn(after, watched)).filter((part) => !known.has(placeOf(part)))
    const told: string[] = []
    for (const part of parts) told.push(await withoutPart(placeOf(part), watched))
    for (const file of after.privileged)
      if (!before.privileged.has(file)) told.push(await withoutRights(file, watched))
    return told
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
async function startingIn({ gitFolders }: TreeSigns, { fixed }: Watched): Promise<readonly Part[]> {
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
