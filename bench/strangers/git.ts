/** What the bench reads of a repository: its objects alone, so that a bare one will do and nothing is checked out. */
import { spawnSync } from 'node:child_process'
import { basename, dirname, resolve } from 'node:path'

const maxOutputBytes = 2 ** 30

/** One file of a commit. */
export interface Entry {
  /** As git writes it: 100644, 100755, 120000 for a link. */
  readonly mode: string
  readonly id: string
  readonly sizeBytes: number
}

export interface Repository {
  /** Owner and name, such as `tj/commander.js`, read off the folder: `owner+name`, `owner/name`, with or without `.git` or `/repo`. */
  readonly name: string
  readonly git: (args: readonly string[], input?: string) => Buffer
}

export function openRepository(folder: string): Repository {
  const path = resolve(folder)
  const git = (args: readonly string[], input = ''): Buffer => {
    const options = { input, maxBuffer: maxOutputBytes }
    const { status, stdout, stderr } = spawnSync(
      'git',
      ['-C', path, '-c', 'core.quotePath=off', ...args],
      options,
    )
    if (status !== 0) throw new Error(`git ${args[0] ?? ''} in ${folder}: ${stderr.toString().trim()}`)
    return stdout
  }
  return { name: nameOf(path), git }
}

function nameOf(path: string): string {
  const last = basename(path)
  if (last === '.git' || last === 'repo') return nameOf(dirname(path))
  const name = last.replace(/\.git$/u, '')
  return name.includes('+') ? name.replace('+', '/') : `${basename(dirname(path))}/${name}`
}

/** The files of a commit; submodules have none here. */
export function entriesOf({ git }: Repository, commit: string): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>()
  for (const line of git(['ls-tree', '-r', '-z', '-l', commit]).toString().split('\0')) {
    const [facts = '', path] = line.split('\t')
    const [mode = '', kind, id = '', size] = facts.split(/ +/u)
    if (path !== undefined && kind === 'blob') entries.set(path, { mode, id, sizeBytes: Number(size) })
  }
  return entries
}

/** The contents of objects, all with one process. */
export function contentsOf({ git }: Repository, ids: readonly string[]): ReadonlyMap<string, Buffer> {
  const contents = new Map<string, Buffer>()
  if (ids.length === 0) return contents
  const output = git(['cat-file', '--batch'], `${ids.join('\n')}\n`)
  for (let at = 0; at < output.length;) {
    const end = output.indexOf('\n', at)
    const [id = '', , size] = output.toString('latin1', at, end).split(' ')
    const from = end + 1
    const to = from + Number(size)
    contents.set(id, output.subarray(from, to))
    at = to + 1
  }
  return contents
}
