import { dirname } from 'node:path'
import type { Mount } from './mount-plan.ts'

export interface BubblewrapCommand {
  /** Of bubblewrap, absolute. */
  readonly program: string
  readonly network: 'off' | 'on'
  /** False: this bubblewrap cannot keep its processes from making namespaces of their own. */
  readonly disablesNamespaces: boolean
  readonly mounts: readonly Mount[]
  readonly givenTemporary?: string
  /** Symbolic links that lead to the folder and whose own folder is hidden. */
  readonly links: readonly { readonly path: string; readonly target: string }[]
  readonly folder: string
  readonly words: readonly string[]
}

/**
 * The command line. `/proc` is read-only: a process of the real root could write to the kernel's settings otherwise, and
 * one of them names a program to run outside. No capability is left, even to root.
 */
export function bubblewrapWords(command: BubblewrapCommand): readonly [string, ...string[]] {
  const [root, ...others] =
    command.mounts[0]?.path === '/'
      ? command.mounts
      : [{ path: '/', kind: 'read-only' as const }, ...command.mounts]
  const empty = others.filter(({ kind }) => kind === 'empty').map(({ path }) => path)
  return [
    command.program,
    ...isolation(command),
    ...(root === undefined ? [] : wordsOf(root, command)),
    ...['--dev', '/dev', '--proc', '/proc'],
    ...others.flatMap((mount) => wordsOf(mount, command)),
    ...command.links.flatMap(({ path, target }) => ['--dir', dirname(path), '--symlink', target, path]),
    ...[...empty, '/proc'].flatMap((path) => ['--remount-ro', path]),
    ...['--chdir', command.folder, '--', ...command.words],
  ]
}

function isolation({ network, disablesNamespaces }: BubblewrapCommand): readonly string[] {
  return [
    ...['--unshare-user', '--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(network === 'off' ? ['--unshare-net'] : []),
    ...(disablesNamespaces ? ['--disable-userns'] : []),
    ...['--cap-drop', 'ALL', '--die-with-parent', '--new-session'],
  ]
}

function wordsOf({ path, kind }: Mount, { givenTemporary = path }: BubblewrapCommand): readonly string[] {
  switch (kind) {
    case 'writable':
      return ['--bind', path, path]
    case 'read-only':
      return ['--ro-bind', path, path]
    case 'temporary':
      return ['--perms', '1777', '--tmpfs', path]
    case 'given-temporary':
      return ['--bind', givenTemporary, path]
    case 'empty':
      return ['--tmpfs', path]
    // Devices do not work on a mount of this kind, so whoever opens it is told that it is not permitted.
    case 'denied':
      return ['--ro-bind', '/dev/null', path]
  }
}
