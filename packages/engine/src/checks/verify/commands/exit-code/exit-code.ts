import type { Script } from './follow/script.ts'
import { newReading, type Candidate, type Reading } from './reading.ts'
import { endShell } from './shell.ts'
import { newPlace } from './walk.ts'
import { newWay, type Way } from './way.ts'

/** What the exit code of a line can tell, before it was ever seen to fail. */
export type ExitCode =
  /** It ends with success on every way. `where`: the script that makes it so; undefined: the line itself. */
  | { readonly kind: 'certain'; readonly reason: string; readonly where?: string }
  /** None of its checks can be shown to decide it. */
  | { readonly kind: 'suspicious'; readonly reason: string }
  /** The end of a check is the end of the line. */
  | { readonly kind: 'sound' }
  /** It cannot be followed, of which nothing follows. */
  | { readonly kind: 'unreadable'; readonly reason: string }

/**
 * Follows every way through a line for the shell and through the scripts that it runs (package.json, Makefiles, shell
 * scripts), as they are now; nothing is run, and every program may end as it likes. Never throws.
 */
export function exitCodeOf(line: string, folder: string): ExitCode {
  const reading = newReading(folder)
  const ends = follow(line, reading)
  if (ends === undefined) return { kind: 'unreadable', reason: 'it is no line that a shell can read' }
  if (reading.unreadable !== undefined) return { kind: 'unreadable', reason: reading.unreadable }
  const candidates = [...reading.candidates.values()]
  if (ends.every(({ ok }) => ok)) return certain(candidates, reading)
  const found = suspicion(line, candidates, reading)
  return reading.patience.steps < 0
    ? { kind: 'unreadable', reason: 'there are too many ways through it' }
    : found
}

/** Everything that a line in a folder leads to: scripts of package.json, of Makefiles and of the shell. */
export function scriptsBehind(line: string, folder: string): readonly Script[] {
  const reading = newReading(folder)
  follow(line, reading)
  return [...reading.scripts.values()]
}

function follow(line: string, reading: Reading): readonly Way[] | undefined {
  const place = newPlace(reading)
  return place.runText(line, newWay(reading.root), place)?.flatMap((end) => endShell(end, place))
}

function certain(candidates: readonly Candidate[], { vacuous: [script] }: Reading): ExitCode {
  const [first] = decisive(candidates)
  const reason =
    first === undefined
      ? 'it runs nothing that can fail'
      : `it ends with success whatever becomes of "${first.text}"`
  return script === undefined ? { kind: 'certain', reason } : { kind: 'certain', reason, where: script.where }
}

const maxCandidates = 30

function suspicion(line: string, all: readonly Candidate[], reading: Reading): ExitCode {
  const candidates = decisive(all)
  const [first] = candidates
  if (
    first === undefined ||
    candidates.slice(0, maxCandidates).some((each) => reachesEnd(each, line, reading))
  )
    return { kind: 'sound' }
  const reason =
    first.deaf === undefined
      ? `a failure of "${first.text}" may not be a failure of the line`
      : `"${first.text}" ${first.deaf}`
  return { kind: 'suspicious', reason }
}

/** What the line is for: known checks, or else any program, or else whatever it asks. */
function decisive(candidates: readonly Candidate[]): readonly Candidate[] {
  const kinds = ['known', 'program', 'condition', 'setup']
  const found = kinds.map((kind) => candidates.filter((each) => each.kind === kind))
  return found.find((each) => each.length > 0) ?? []
}

/** Wherever it has failed the line fails; of a question the other answer may count. */
function reachesEnd(
  { node, kind, deaf }: Candidate,
  line: string,
  { root, parsed, patience }: Reading,
): boolean {
  if (deaf !== undefined) return false
  const ends = kind === 'condition' ? (['failure', 'success'] as const) : (['failure'] as const)
  return ends.some((end) => {
    const hits = (follow(line, newReading(root, { watch: { node, end }, parsed, patience })) ?? []).filter(
      ({ isHit }) => isHit,
    )
    return hits.length > 0 && hits.every(({ ok }) => !ok)
  })
}
