import { placed } from './placed.ts'
import type { Project } from './project.ts'
import type { Placement } from './request.ts'
import { independentText, isSplitByName } from './split/independent-text.ts'

/** A file that may have parts of both sides: which of them changed. */
export function placeSplit(path: string, { request }: Project): Placement {
  const before = request.baseline.text(path)
  // A source that is gone is gone as a whole, where no tests went with it.
  const after =
    request.delivered.text(path) ?? (isSplitByName(path) || request.delivered.has(path) ? null : '')
  const text = independentText(path, before, after)
  if (text === undefined || (after === '' && text.trim() !== '')) return placed(path, 'cannot-be-split')
  if (text === after) return placed(path, path.endsWith('.rs') ? 'source' : 'product-part')
  return placed(path, text === before ? 'check-part' : 'both-parts')
}
