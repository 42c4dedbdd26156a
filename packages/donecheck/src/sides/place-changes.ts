import { matchesAny } from '../protect/index.ts'
import { nameSays } from './by-name.ts'
import { placeEarlier } from './place-earlier.ts'
import { placeInstalled } from './place-installed.ts'
import { placeManifest } from './place-manifest.ts'
import { placeNew } from './place-new.ts'
import { placeSource, placeSplit } from './place-split.ts'
import { placed } from './placed.ts'
import { projectOf, type Project } from './project.ts'
import type { Placement, SidesRequest } from './request.ts'
import { isSplitByName } from './split/independent-text.ts'
import { canSuppress } from './split/suppressions.ts'

/**
 * Which side every changed file stands on. Only the baseline tree vouches for what was there before, so that no change can
 * move a file of the check side to the product. Nothing is read of a file whose name settles it.
 */
export function placeChanges(request: SidesRequest): ReadonlyMap<string, Placement> {
  const project = projectOf(request)
  return new Map(request.changed.map((path) => [path, placeOne(path, project)]))
}

function placeOne(path: string, project: Project): Placement {
  const { protect, baseline } = project.request
  if (matchesAny(path, protect))
    return placed(path, 'named-by-user', `${path} fits a glob that the user protects.`)
  const installed = placeInstalled(path, project)
  if (installed !== undefined) return installed
  const manifest = placeManifest(path, project)
  if (manifest !== undefined) return manifest
  if (isSplitByName(path)) return placeSplit(path, project)
  const says = nameSays(path)
  // An interpreter runs what it is given, whatever the name.
  const isStarted =
    says.kind === 'settled' && says.reason === 'documentation' && project.runs().started.has(path)
  if (isStarted) return placed(path, 'check-script')
  if (says.kind === 'settled') return placed(path, says.reason)
  const placement = baseline.has(path) ? placeEarlier(path, says, project) : placeNew(path, says, project)
  return placement.side === 'product' && canSuppress(path) ? placeSource(path, placement, project) : placement
}
