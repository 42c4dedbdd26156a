import { spawn } from 'node:child_process'
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'

export interface StandBy {
  /** From now on the group ends with this process. */
  readonly watch: (groupId: number) => void
  /** The group is empty, or never came to be. */
  readonly dismiss: () => void
}

/**
 * Ends a group when this process is dead, whatever has ended it: what nobody reads any more would go on to work on the tree, beside
 * what is started in its place. A shell waits for the end of a pipe that only we hold. It is there before the group is: between a
 * start and a watch that takes long to begin, everything could be killed but the group. What is left of that is the moment between
 * the two calls.
 */
export function standBy(): StandBy {
  const guard = spawn('sh', ['-c', 'read -r group || exit 0; read -r _; kill -KILL "-$group"', 'donecheck'], {
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.on('error', () => undefined)
  // Where no process can be started at all, there is no pipe either, whatever the types say.
  const { stdin } = guard as { readonly stdin: Writable | undefined }
  stdin?.on('error', () => undefined)
  guard.unref()
  if (stdin instanceof Socket) stdin.unref()
  return {
    watch: (groupId) => void stdin?.write(`${groupId}\n`),
    dismiss: () => void guard.kill('SIGKILL'),
  }
}
