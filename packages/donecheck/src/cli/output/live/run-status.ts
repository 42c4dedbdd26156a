/** What a run is at, and for how long: the line at the bottom of a terminal. */
import { totalTokens, type RunState } from '@donecheck/core/state'
import { oneLine, plural, seconds } from '@donecheck/engine/report'

export interface StatusText {
  /** Such as `npm test is running, 3.0 s · turn 2/90 · 14.2 s in all · 5,210 tokens`: the times go on between events. */
  readonly text: () => string
  readonly stage: string
  readonly sinceMs: number
}

/** @param before of the event before: what goes on was not begun anew */
export function statusOf(state: RunState, before: StatusText | undefined): StatusText {
  const doing = doingOf(state)
  const stage = state.phase.kind === 'verifying' ? 'checks' : doing
  const { consumption, settings, nowMs } = state
  const sinceMs = before?.stage === stage ? before.sinceMs : nowMs
  const limit = settings.caps.maxIterations
  const tokens = totalTokens(consumption)
  const text = () =>
    [
      `${doing}, ${seconds(Date.now() - sinceMs)}`,
      `turn ${state.turn}${limit === null ? '' : `/${limit}`}`,
      `${seconds(consumption.activeMs + Date.now() - nowMs)} in all`,
      // Most agents tell theirs at the end of a turn, and some never do.
      ...(tokens === 0 ? [] : [plural(tokens, 'token')]),
    ].join(' · ')
  return { text, stage, sinceMs }
}

function doingOf({ phase, drive }: RunState): string {
  switch (phase.kind) {
    case 'verifying':
      return `${oneLine(phase.awaiting.join(', '), 40)} ${phase.awaiting.length > 1 ? 'are' : 'is'} running`
    case 'acting': {
      const call = phase.pending.find(({ announcedAs }) => announcedAs !== undefined)?.call
      return call === undefined ? 'tools are next' : `${oneLine(call.tool, 30)} is running`
    }
    case 'calling':
      return `the ${drive.kind === 'model' ? 'model' : 'agent'} is at work`
    case 'retrying':
      return 'waiting to try again'
    default:
      return 'getting ready'
  }
}
