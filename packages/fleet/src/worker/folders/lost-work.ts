/** What a run is told when its folder was made again. Pure. */
import type { RunEvent } from '@donecheck/core/events'

/** How far back the tree is that could be made again. */
export interface MadeAgain {
  /** The record as it stands. */
  readonly events: readonly RunEvent[]
  /** Of the latest event that the tree knows; 0: it is that of the base. */
  readonly sequence: number
  /** Repositories within it, which are not made again. */
  readonly nested: readonly string[]
}

/** Of a run that has begun. */
export function messageOf({ events, sequence, nested }: MadeAgain): string {
  const news = isWorkLost({ events, sequence })
    ? `The machine that you worked on was lost. The work folder is again as it was ${momentOf(events, sequence)}: what was changed in it after that is gone, although you may remember it.`
    : `You go on on another machine. The work folder is as it was ${momentOf(events, sequence)}.`
  const inside = nested.length === 0 ? '' : ` So are the repositories ${nested.join(', ')}.`
  return `${news} Files that git ignores, such as installed packages, are not there any more, nor are commits that were made in the folder.${inside} Look at the tree before you go on.`
}

/** An agent works while it is asked; the tools of a model say what they do. Checks may write too, and write it again. */
export function isWorkLost({ events, sequence }: Omit<MadeAgain, 'nested'>): boolean {
  const isAgent = events.some((event) => event.type === 'run-started' && event.drive.kind !== 'model')
  return events
    .slice(sequence)
    .some(
      (event) =>
        (event.type === 'tool-called' && event.effect !== 'read') ||
        (event.type === 'model-called' && isAgent),
    )
}

function momentOf(events: readonly RunEvent[], sequence: number): string {
  const turns = events
    .slice(0, sequence)
    .flatMap((event) => (event.type === 'turn-ended' ? [event.turn] : []))
  const last = turns.at(-1)
  return last === undefined ? 'at the start' : `after turn ${last}`
}
