/** One run of the search agent: a loop, a check, and a source that is never left half mended. */
import { command, createAgentLoop, type RunResult, type Verifier } from 'donecheck'
import type { Candidate } from './mutations/index.ts'
import { searchAgent } from './search-agent.ts'
import { follow, type OnEvent } from './show.ts'

export interface RepairOptions {
  readonly folder: string
  /** The check, as a line for the shell. */
  readonly until: string
  readonly maxTries?: number
  /** Of one run of the check. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly onEvent: OnEvent
}

export interface Repair {
  readonly result: RunResult
  /** What mended it; undefined when nothing did, and then the source is as it was. */
  readonly edit: Candidate | undefined
  /** The check passed before anything was tried: there was nothing to repair. */
  readonly isGreenAlready: boolean
}

export async function repair(options: RepairOptions): Promise<Repair> {
  const agent = await searchAgent(options)
  const needless = new AbortController()
  const loop = createAgentLoop({
    agent,
    workFolder: options.folder,
    hardVerifiers: [brokenOffMeansFailed(command(options.until, { timeoutMs: options.timeoutMs }))],
    // It tries every place once and calls each try done: its list is its end, however little it finds on the way.
    softVerifiers: { loopDetection: false, stagnation: false },
    hardCap: { iterations: agent.maxTurns, tokens: null, wallClockMs: null },
    signal: AbortSignal.any([options.signal, needless.signal]),
  })
  try {
    const run = loop.run(`Change one place of the source so that this passes: ${options.until}`)
    const result = await follow(run, (event, state) => {
      options.onEvent(event, state)
      if (
        event.type === 'verdict-given' &&
        state.turn === 0 &&
        event.verdict.status === 'passed' &&
        event.verdict.verifier === options.until
      )
        needless.abort('the check, which is green already')
    })
    if (result.transition.outcome !== 'verified') await agent.restore()
    return { result, edit: agent.applied, isGreenAlready: needless.signal.aborted }
  } catch (error) {
    await agent.restore()
    throw error
  }
}

/**
 * For a search, an edit that makes the check hang or crash is one wrong edit more, and no reason to ask for help.
 * Neither answer ever counts as passed.
 */
export function brokenOffMeansFailed(verifier: Verifier): Verifier {
  return {
    description: verifier.description,
    async verify(context, signal) {
      const report = await verifier.verify(context, signal)
      const wasBrokenOff = report.evidence.some(
        (evidence) => evidence.kind === 'command' && (evidence.timedOut || evidence.signal !== null),
      )
      if (report.status !== 'error' || !wasBrokenOff || signal.aborted) return report
      return { ...report, status: 'failed' }
    },
  }
}
