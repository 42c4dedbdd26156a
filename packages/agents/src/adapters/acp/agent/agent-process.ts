/** The agent's process: it lives through all turns of a run, and stands still between them. */
import { startJsonLines, type JsonLinesProcess } from '../../../protocol/stream/index.ts'
import type { StartRequest } from '@donecheck/engine/process'

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
  let hasEnded = false
  void program.ended.then(() => {
    hasEnded = true
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
