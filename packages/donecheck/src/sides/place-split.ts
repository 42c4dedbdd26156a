import { placed } from './placed.ts'
import type { Project } from './project.ts'
import type { Placement } from './request.ts'
import { independentText, isSplitByName } from './split/independent-text.ts'

/** A file that may have parts of both sides: which of them changed. */
export function placeSplit(path: string, { request }: Project): Placement {
  return sidesOfParts(path, request.baseline.text(path), textAfter(path, request))
}

/** A source that is gone is gone as a whole, where no tests went with it. */
function textAfter(path: string, { delivered }: Project['request']): string | null {
  return delivered.text(path) ?? (isSplitByName(path) || delivered.has(path) ? null : '')
}

function sidesOfParts(path: string, before: string | null, after: string | null): Placement {
  const text = independentText(path, before, after)
  if (text === undefined || (after === '' && text.trim() !== '')) return placed(path, 'cannot-be-split')
  if (text === after) return placed(path, path.endsWith('.rs') ? 'source' : 'product-part')
  return placed(path, text === before ? 'check-part' : 'both-parts')
}

/**
 * A source of Rust may hold tests, and one of any language comments for checkers. What moved is compared with what it was: its
 * tests, and its comments, are those of the earlier place.
 */
export function placeSource(path: string, placement: Placement, project: Project): Placement {
  const { baseline, delivered } = project.request
  const from = baseline.has(path) ? undefined : project.moves().get(path)
  const before = baseline.text(from ?? path)
  if (path.endsWith('.rs') && from === undefined)
    return isMovedAway(path, project) ? placement : placeSplit(path, project)
  const after = delivered.text(path)
  const text = independentText(path, before, after)
  const found =
    text === (after ?? undefined)
      ? placement
      : placed(path, path.endsWith('.rs') ? 'both-parts' : 'silences-a-checker')
  return from === undefined ? found : { ...found, movedFrom: from }
}

function isMovedAway(path: string, { request, moves }: Project): boolean {
  return !request.delivered.has(path) && [...moves().values()].includes(path)
}
