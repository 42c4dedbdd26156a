import { spawn } from 'node:child_process'
import { Socket } from 'node:net'

/**
 * Ends the group when this process is dead, whatever has ended it: an agent that nobody reads any more would go on to work on
 * the tree, beside the one that the resumed run has started. A shell waits for the end of a pipe that only we hold.
 * @returns dismisses the shell: the group is empty
 */
export function endWithUs(groupId: number): () => void {
  const guard = spawn('sh', ['-c', 'read -r _; kill -KILL "-$1"', 'donecheck', String(groupId)], {
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.on('error', () => undefined)
  guard.stdin.on('error', () => undefined)
  guard.unref()
  const { stdin } = guard
  if (stdin instanceof Socket) stdin.unref()
  return () => void guard.kill('SIGKILL')
}
