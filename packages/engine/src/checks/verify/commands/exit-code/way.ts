import type { SetOptions } from './follow/script.ts'

/** A shell at one moment of one way through its text. All ways are followed that its programs can make it go. */
export interface Way {
  /** What `$?` says: whether the latest command succeeded. */
  readonly ok: boolean
  /** What is being left: the round of a loop, a function or a sourced file, the shell. */
  readonly leaving: 'nothing' | 'round' | 'function' | 'shell'
  /** The watched command has ended on this way as it is watched for. */
  readonly isHit: boolean
  readonly errexit: boolean
  readonly pipefail: boolean
  readonly nounset: boolean
  /** Undefined: not known. */
  readonly folder: string | undefined
  /** What runs when the shell ends. */
  readonly exitTrap: string | undefined
  /** Variables of which the value is known; numbers other than 0 may stand as `someFailure`. */
  readonly values: ReadonlyMap<string, string>
}

/** The value of `$?` after a failure: any number but 0. */
export const someFailure = '\0failure'

export function newWay(
  folder: string | undefined,
  { errexit = false, pipefail = false }: Pick<SetOptions, 'errexit' | 'pipefail'> = {},
): Way {
  return {
    ok: true,
    leaving: 'nothing',
    isHit: false,
    errexit,
    pipefail,
    nounset: false,
    folder,
    exitTrap: undefined,
    values: new Map(),
  }
}

export function withSuccess(way: Way): Way {
  return { ...way, ok: true }
}

export function withFailure(way: Way): Way {
  return { ...way, ok: false }
}

export function eitherOf(way: Way): readonly Way[] {
  return [withSuccess(way), withFailure(way)]
}

/** What a value of 0, another one, or an unknown one makes of the status. */
export function statusOf(way: Way, value: string | undefined): readonly Way[] {
  if (value === undefined) return eitherOf(way)
  const isZero = /^\d+$/.test(value) && Number(value) % 256 === 0
  return [isZero ? withSuccess(way) : withFailure(way)]
}

/** Numbers and jobs are what exit codes are kept in; to tell other texts apart would make too many ways. */
const worthKnowing = /^(\d{0,7}|job \d|\0failure)$/

/** Undefined: from now on nothing is known of it. */
export function withValue(way: Way, name: string, value: string | undefined): Way {
  const values = new Map(way.values)
  if (value === undefined || !worthKnowing.test(value)) values.delete(name)
  else values.set(name, value)
  return { ...way, values }
}

/** One of each. */
export function distinct(ways: readonly Way[]): readonly Way[] {
  if (ways.length < 2) return ways
  return [...new Map(ways.map((way) => [keyOf(way), way])).values()]
}

export function keyOf({ values, ...way }: Way): string {
  return JSON.stringify([way, [...values].toSorted(([one], [other]) => (one < other ? -1 : 1))])
}
