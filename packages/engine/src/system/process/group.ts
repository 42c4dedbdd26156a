import { spawn } from 'node:child_process'
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { codeOf } from '../../base/index.ts'

/** Milliseconds between SIGTERM and SIGKILL. */
const graceMs = 1_000
/** SIGKILL takes effect soon after the call returns. */
const deathMs = 200
/** Polls, because nothing reports an empty group. */
const lookEveryMs = 20

const living = new Set<ProcessGroup>()

/** A process and its descendants, such as test runners and servers, which would survive their leader. */
export class ProcessGroup {
  readonly id: number
  #ending: Promise<unknown> | undefined

  /** @param id process id of the detached leader */
  constructor(id: number) {
    this.id = id
    if (living.size === 0) process.on('exit', killAllProcesses)
    living.add(this)
  }

  /** Sends SIGTERM, then SIGKILL. Never rejects; repeated calls share the first. */
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

  /** Zombies count as members until reaped, which a slow init process delays. */
  async #emptyWithin(boundMs: number): Promise<boolean> {
    for (let waitedMs = 0; waitedMs < boundMs; waitedMs += lookEveryMs) {
      await pause(lookEveryMs)
      if (!this.#signal(0)) return true
    }
    return false
  }

  /** @returns false if the group is empty. Processes of another user cannot be signalled but exist */
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

/** Kills all live groups synchronously, for a second Ctrl-C and at exit. */
export function killAllProcesses(): void {
  for (const group of [...living]) group.kill()
}

interface StandBy {
  readonly watch: (groupId: number) => void
  /** Call it when the group is empty or was not started. */
  readonly dismiss: () => void
}

/**
 * Ends a group when this process dies for any reason, so it cannot keep changing the tree. A shell waits for
 * the end of a pipe we hold; started before the group to leave no gap.
 */
export function standBy(): StandBy {
  const guard = spawn('sh', ['-c', 'read -r group || exit 0; read -r _; kill -KILL "-$group"'], {
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.on('error', () => undefined)
  // The pipe is missing if no process can be started, despite the types.
  const { stdin } = guard as { readonly stdin: Writable | undefined }
  stdin?.on('error', () => undefined)
  guard.unref()
  if (stdin instanceof Socket) stdin.unref()
  return {
    watch: (groupId) => void stdin?.write(`${groupId}\n`),
    dismiss: () => void guard.kill('SIGKILL'),
  }
}
