/** With what a worker opens a run: for the first time, where it stands, or again after its end. */
import { fold } from '@donecheck/core/state'
import type { RunEvent } from '@donecheck/core/events'
import type { FleetRequest } from '@donecheck/fleet/coordinator'
import type { RunPart } from '@donecheck/fleet/worker'
import { topUpOfFlags } from '../../options/top-up.ts'

/**
 * A request to go on after the end is done once: a worker that is lost after it, or a journal that does not know of it, asks again.
 * @param notice that its folder was made again; undefined: it was not
 * @param part absent: it is a run of its own
 */
export function beginningOf(
  request: FleetRequest,
  past: readonly RunEvent[],
  notice: string | undefined,
  part?: RunPart,
) {
  const { runId, task } = request
  if (past.length === 0) {
    const carved = part && { parent: part.parent, caps: part.caps }
    return { kind: 'new', task, as: { runId, ...carved } } as const
  }
  const reported = notice === undefined ? {} : { notice }
  const asked = fold(past)?.phase.kind === 'stopped' ? request.resume : undefined
  const isDone = past.some((event) => event.type === 'run-resumed' && event.requestId === asked?.id)
  if (asked === undefined || isDone) return { kind: 'continue', runId, ...reported } as const
  return { kind: 'resume', runId, requestId: asked.id, ...topUpOf(asked.topUp), ...reported } as const
}

/** Under the names of the flags `--max-…`. */
function topUpOf(topUp: Readonly<Record<string, number>>) {
  const amounts = Object.entries(topUp).map(([name, amount]) => `${name}=${amount}`)
  return amounts.length === 0 ? {} : { topUp: { by: 'the service', added: topUpOfFlags(amounts) } }
}
