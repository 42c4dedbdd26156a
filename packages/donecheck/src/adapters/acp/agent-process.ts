/** The agent's process: it lives through all turns of a run, and stands still between them. */
import { spawn } from 'node:child_process'
import { Socket } from 'node:net'
import { startJsonLines, type JsonLinesProcess } from '../../agents/index.ts'
import type { StartRequest } from '../../process/index.ts'

export interface AgentProcess extends JsonLinesProcess {
  /**
   * Nothing of the agent works from now on, as far as it stayed in its group: what is checked is what it has left. It does
   * not keep this process alive either.
   */
  freeze(): void
  thaw(): void
}

export function startAgentProcess(request: Omit<StartRequest, 'keepsInputOpen'>): AgentProcess {
  const program = startJsonLines({ ...request, keepsInputOpen: true })
  const { groupId } = program
  const guard = groupId === undefined ? undefined : endWithUs(groupId)
  let hasEnded = false
  void program.ended.then(() => {
    hasEnded = true
    guard?.kill('SIGKILL')
  })
  const signal = (name: NodeJS.Signals) => {
    if (groupId === undefined || hasEnded) return
    try {
      process.kill(-groupId, name)
    } catch {
      // It has just ended.
    }
  }
  const thaw = () => {
    signal('SIGCONT')
    program.hold(true)
  }
  return {
    ...program,
    freeze: () => {
      signal('SIGSTOP')
      program.hold(false)
    },
    thaw,
    end: () => {
      // Who stands still cannot hear that it is to end.
      thaw()
      return program.end()
    },
  }
}

/**
 * An agent that stands still would not notice that we are dead, and one at work need not care. So a shell waits for the end
 * of a pipe that only we hold, whatever has ended us.
 */
function endWithUs(groupId: number) {
  const guard = spawn('sh', ['-c', 'read -r _; kill -KILL -- "-$1"', 'donecheck', String(groupId)], {
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
  return guard
}
