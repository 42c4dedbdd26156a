import { lstatSync, readlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'

export type ResolvedLinks =
  { readonly kind: 'resolved'; readonly path: string } | { readonly kind: 'failed'; readonly problem: string }

/** As many as the system itself follows. */
const maxLinks = 40

/**
 * Where a path leads once every symlink in it is followed, the last one included. What does not exist (yet) stays as
 * it is: unlike `realpath`, this also says where a dangling symlink points to.
 * @param path may hold `.`, `..` and double slashes; `..` is taken after the links before it, as the system does
 * @param from where a path begins that is not absolute: a folder that was resolved already
 */
export async function resolveLinks(path: string, from = '/'): Promise<ResolvedLinks> {
  const waiting = partsOf(path)
  let real = path.startsWith('/') ? '/' : from
  let links = 0
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const next = part === '..' ? dirname(real) : join(real, part)
    const target = readLink(next)
    if (typeof target === 'object') return { kind: 'failed', problem: `${next}: ${target.problem}` }
    if (target === undefined) real = next
    else if (++links > maxLinks) return { kind: 'failed', problem: `${next}: too many symlinks` }
    else {
      if (target.startsWith('/')) real = '/'
      waiting.push(...partsOf(target))
    }
  }
  return { kind: 'resolved', path: real }
}

/** The last part first. */
function partsOf(path: string): string[] {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .reverse()
}

/**
 * Undefined: no symlink, or nothing at all. Not in the background: a transaction asks it hundreds of times, and handing one
 * over costs ten times as much as the question itself.
 */
function readLink(path: string): string | undefined | { readonly problem: string } {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : undefined
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    if (code === 'ENOENT') return undefined
    return { problem: code === 'ENOTDIR' ? 'what is above it is not a folder' : code }
  }
}
