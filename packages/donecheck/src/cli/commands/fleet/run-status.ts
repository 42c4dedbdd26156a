/** Where one run of a fleet is: also one that has not begun, of which there is no record yet, or never will be one. */
import type { FleetClient, FleetRun } from '@donecheck/fleet/coordinator'
import type { Line } from '@donecheck/engine/report'
import { UsageError } from '@donecheck/engine/base'

export interface Status {
  readonly report: object
  readonly lines: readonly Line[]
}

/** @throws {UsageError} for one that was not given to this fleet */
export async function statusOfRun(runId: string, client: Pick<FleetClient, 'run'>): Promise<Status> {
  const run = await client.run(runId)
  if (run === undefined)
    throw new UsageError(
      `this fleet was not given a run ${runId}; "donecheck fleet status" lists those that are not over, by their whole id`,
    )
  const { request, phase, attempt, problem } = run
  return { report: { ...request, attempt, phase, problem }, lines: linesOfRun(run) }
}

/** Pure. */
export function linesOfRun(run: FleetRun): readonly Line[] {
  const { request, phase, problem } = run
  const { runId } = request
  return [
    { tone: 'strong', text: `${runId} is ${placeOf(run)}` },
    ...(problem === '' || phase.kind === 'over'
      ? []
      : [{ tone: 'warning', text: `  its latest try broke: ${problem}` } as const]),
    ...(phase.kind === 'over' ? [{ tone: 'plain', text: `  ${phase.message}` } as const] : []),
    { tone: 'quiet', text: `  ${nextOf(run)}` },
  ]
}

function placeOf({ phase }: FleetRun): string {
  switch (phase.kind) {
    case 'queued':
      return 'queued: it waits for a worker'
    case 'working':
      return `at work on ${phase.workerId}`
    case 'over':
      return `over: ${phase.outcome ?? phase.reason}`
    case 'waiting':
      return `waiting ${awaitedOf(phase.for)}`
  }
}

function awaitedOf(awaited: Extract<FleetRun['phase'], { kind: 'waiting' }>['for']): string {
  switch (awaited.kind) {
    case 'question':
      return `for the answer to ${awaited.id}; "donecheck approvals" shows the question`
    case 'run':
      return `for run ${awaited.runId}`
    case 'time':
      return `until ${new Date(awaited.untilMs).toISOString()}, ${awaited.because === 'retry' ? 'to try again' : 'as its goal says'}`
  }
}

/** What to type for more. */
function nextOf({ request: { runId, labels }, phase, attempt }: FleetRun): string {
  if (attempt === 0 && phase.kind === 'queued')
    return `"donecheck fleet status" says what it lacks${labels.length === 0 ? '' : `; it needs ${labels.join(', ')}`}`
  const command = `"donecheck ${phase.kind === 'over' ? 'explain' : 'watch'} ${runId}" tells more`
  return phase.kind === 'working' || (phase.kind === 'over' && phase.outcome !== null && attempt > 0)
    ? command
    : `${command} where it had begun; otherwise there is no record of it`
}
