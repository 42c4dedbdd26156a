/** What the hooks go by, as it is and as it is to be: whoever changes it is shown both. */
import {
  sessionFileOf,
  readSessionFile,
  type SessionConfiguration,
  type SessionFileLocation,
} from '@donecheck/agents/session'
import type { FileChange } from '../settings/file-change.ts'

interface PinChange extends FileChange {
  /** Undefined: nothing was pinned, or nobody can read it. */
  readonly known: SessionConfiguration | undefined
}

/** @param wanted undefined: what is there already stays */
export function pinChangeOf(wanted: SessionConfiguration | undefined, place: SessionFileLocation): PinChange {
  const file = sessionFileOf(place)
  const known = readPinned(place)
  const before = known === undefined ? undefined : textOf(known)
  return { file, known, before, after: wanted === undefined ? before : textOf(wanted) }
}

/** One that is broken is replaced, which is what its message asks for. */
function readPinned(place: SessionFileLocation): SessionConfiguration | undefined {
  try {
    return readSessionFile(place)
  } catch {
    return undefined
  }
}

function textOf(configuration: SessionConfiguration): string {
  const inOrder = Object.entries(configuration).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `${JSON.stringify(Object.fromEntries(inOrder), null, 2)}\n`
}

export function questionOf(
  { known, before, after }: PinChange,
  wanted: SessionConfiguration | undefined,
): string {
  if (known === undefined || wanted === undefined || before === after) return 'Change these files?'
  const [old, next] = [checksText(known), checksText(wanted)]
  return old === next
    ? `Change how ${next} is checked, and these files?`
    : `Check ${next} from now on, and no longer ${old}?`
}

/** As it was typed. */
export function checksText({ config }: SessionConfiguration): string {
  const { until, presets, checks, judge, heldOut } = config
  const commands = listOf(until).map((check) =>
    typeof check === 'object' && check !== null && 'command' in check ? String(check.command) : String(check),
  )
  const hidden = listOf(heldOut).length
  return [
    ...commands,
    ...listOf(presets).map((preset) => `the preset ${String(preset)}`),
    ...listOf(checks).map((check) => `the check ${nameOf(check)}`),
    ...listOf(fieldsOf(judge)['models']).map(
      (model) => `the judge ${String(model)}, as far as it may decide`,
    ),
    ...(hidden === 0 ? [] : [hidden === 1 ? 'a held-out check' : `${hidden} held-out checks`]),
  ].join(', ')
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** By its name, or by what kind it is. */
function nameOf(check: unknown): string {
  const { name, kind } = fieldsOf(check)
  return String(name ?? kind)
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}
}
