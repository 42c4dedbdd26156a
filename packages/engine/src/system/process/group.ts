import { spawn } from 'node:child_process'
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { codeOf } from '../../base/index.ts'

/** Time between SIGTERM and SIGKILL. */
const graceMs = 1_000
/** SIGKILL works at once, but not before the call returns. */
const deathMs = 200
/** Nobody tells us that a group is empty: we look. */
const lookEveryMs = 20

const living = new Set<ProcessGroup>()

/**
 * A process with all its descendants that did not leave its group. Killing the leader alone would leave its children
 * behind: test runners, servers and agents all start some.
 */
export class ProcessGroup {
  readonly id: number
  #ending: Promise<unknown> | undefined

  /** The id is the leader's process id; the leader was started detached. */
  constructor(id: number) {
    this.id = id
    if (living.size === 0) process.on('exit', killAllProcesses)
    living.add(this)
  }

  /** Asks the group to end, and kills it when it has not after a short grace. Never rejects; the first call counts. */
  end(): Promise<unknown> {
    this.#ending ??= this.#end()
    return this.#ending
  }

  kill(): void {
    this.#signal('SIGKILL')
    this.#forget()
    this.#ending ??= this.#emptyWithin(deathMs)
  }

  async #end(): Promise<void> {
    if (this.#signal('SIGTERM') && !(await this.#emptyWithin(graceMs))) {
      this.kill()
      await this.#emptyWithin(deathMs)
    }
    this.#forget()
  }

  /** The dead count as members until somebody has waited for them: a lazy init process makes us use all the time. */
  async #emptyWithin(boundMs: number): Promise<boolean> {
    for (let waitedMs = 0; waitedMs < boundMs; waitedMs += lookEveryMs) {
      await pause(lookEveryMs)
      if (!this.#signal(0)) return true
    }
    return false
  }

  /** False: the group is empty. A process of another user cannot be signalled and is still there. */
  #signal(signal: NodeJS.Signals | 0): boolean {
    try {
      return process.kill(-this.id, signal)
    } catch (error) {
      return codeOf(error) === 'EPERM'
    }
  }

  #forget(): void {
    living.delete(this)
    if (living.size === 0) process.off('exit', killAllProcesses)
  }
}

export function livingGroups(): readonly number[] {
  return [...living].map((group) => group.id)
}

/** SIGKILL to every group still alive, synchronously: for a second Ctrl-C, and when this process exits. */
export function killAllProcesses(): void {
  for (const group of [...living]) group.kill()
}

interface StandBy {
  readonly watch: (groupId: number) => void
  /** To be called when the group is empty or was never started. */
  readonly dismiss: () => void
}

/**
 * Ends a group when this process is dead, whatever has ended it: what nobody reads any more would go on to work on the tree, beside
 * what is started in its place. A shell waits for the end of a pipe that only we hold. It is there before the group is: between a
 * start and a watch that takes long to begin, everything could be killed but the group. What is left of that is the moment between
 * the two calls.
 */
export function standBy(): StandBy {
  const guard = spawn('sh', ['-c', 'read -r group || exit 0; read -r _; kill -KILL "-$group"'], {
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
