/** All that the placing of one change may ask for, made when it is first asked for. */
import { checkRunsOf, type CheckRuns } from './checks/check-runs.ts'
import { sourcedByHelpers } from './checks/sourced-by-helpers.ts'
import type { SidesRequest } from './request.ts'
import { earlierFiles, type EarlierFiles } from './tree/earlier-files.ts'
import { movesIn } from './tree/moves.ts'
import { indexOf, type PathIndex } from './tree/path-index.ts'

export interface Project {
  readonly request: SidesRequest
  readonly changed: ReadonlySet<string>
  readonly index: () => PathIndex
  readonly runs: () => CheckRuns
  /** What helpers of tests in a shell read in → which of them. */
  readonly sourced: () => ReadonlyMap<string, string>
  readonly earlier: () => EarlierFiles
  /** New path → the path that its content had before. */
  readonly moves: () => ReadonlyMap<string, string>
  /** The same of the delivered tree, whose new files may be reached by new sources. */
  readonly delivered: () => EarlierFiles
}

export function projectOf(request: SidesRequest): Project {
  const { baseline, delivered, checkLines } = request
  const index = once(() => indexOf(baseline))
  const runs = once(() => checkRunsOf(checkLines, baseline))
  return {
    request,
    changed: new Set(request.changed),
    index,
    runs,
    sourced: once(() => sourcedByHelpers(baseline)),
    earlier: once(() => earlierFiles(index(), runs())),
    moves: once(() => movesIn(request)),
    delivered: once(() => earlierFiles(indexOf(delivered), runs())),
  }
}

function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
