import { readFile, stat } from 'node:fs/promises'
import type { MountTarget } from './mount-plan.ts'
import { realPaths } from './real-path.ts'

/**
 * Sockets that somebody on this machine listens on. A read-only mount does not keep anybody from connecting to one, and
 * what is behind it (a container engine, a desktop) runs outside of every sandbox.
 */
export async function listeningSockets(): Promise<readonly MountTarget[]> {
  const paths = await realPaths(socketPathsIn(await readFile('/proc/net/unix', 'utf8').catch(() => '')))
  const found = await Promise.all(paths.map((path) => stat(path).catch(() => undefined)))
  // A name in the table may be that of something else by now.
  return paths
    .filter((_, index) => found[index]?.isSocket() === true)
    .map((path) => ({ path, isFolder: false }))
}

/** Reads the kernel's table: address, count, protocol, flags, type, state, inode, path. Abstract ones begin with `@`. */
export function socketPathsIn(table: string): readonly string[] {
  const paths = table.split('\n').flatMap((line) => {
    const path = /^[0-9a-f]+: [0-9A-F]+ [0-9A-F]+ [0-9A-F]+ [0-9A-F]+ [0-9A-F]+ +\d+ (?<path>\/.*)$/.exec(
      line,
    )
    return path?.groups?.['path'] ?? []
  })
  return [...new Set(paths)]
}
