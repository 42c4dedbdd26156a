/** What the hooks go by, as it is and as it is to be: whoever changes it is shown both. */
import { rideFileOf, readRideFile, type RideConfiguration, type RidePlace } from '../../ride/index.ts'
import type { FileChange } from './file-change.ts'

export interface PinChange extends FileChange {
  /** Undefined: nothing was pinned, or nobody can read it. */
  readonly known: RideConfiguration | undefined
}

/** @param wanted undefined: what is there already stays */
export function pinChangeOf(wanted: RideConfiguration | undefined, place: RidePlace): PinChange {
  const file = rideFileOf(place)
  const known = readable(place)
  const before = known === undefined ? undefined : textOf(known)
  return { file, known, before, after: wanted === undefined ? before : textOf(wanted) }
}

/** One that is broken is replaced, which is what its message asks for. */
function readable(place: RidePlace): RideConfiguration | undefined {
  try {
    return readRideFile(place)
  } catch {
    return undefined
  }
}

function textOf(configuration: RideConfiguration): string {
  const inOrder = Object.entries(configuration).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `${JSON.stringify(Object.fromEntries(inOrder), null, 2)}\n`
}

export function questionOf(
  { known, before, after }: PinChange,
  wanted: RideConfiguration | undefined,
): string {
  if (known === undefined || wanted === undefined || before === after) return 'Change these files?'
  const [old, next] = [whatIsChecked(known), whatIsChecked(wanted)]
  return old === next
    ? `Change how ${next} is checked, and these files?`
    : `Check ${next} from now on, and no longer ${old}?`
}

/** As it was typed. */
export function whatIsChecked({ config }: RideConfiguration): string {
  const { until, presets, heldOut } = config
  const commands = listOf(until).map((check) =>
    typeof check === 'object' && check !== null && 'command' in check ? String(check.command) : String(check),
  )
  const hidden = listOf(heldOut).length
  return [
    ...commands,
    ...listOf(presets).map((preset) => `the preset ${String(preset)}`),
    ...(hidden === 0 ? [] : [hidden === 1 ? 'a held-out check' : `${hidden} held-out checks`]),
  ].join(', ')
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
