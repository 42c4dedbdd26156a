/** What a ride is configured with: pinned when the hooks are installed, kept outside of the tree that the agent writes to. */
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { UsageError } from '../errors.ts'
import type { JsonValue } from '../events/index.ts'
import { stateHome, type HomeSurroundings } from '../state-home.ts'
import { defaultStoreFolder } from '../store/index.ts'
import { forgetKnownRecord } from './known-record.ts'
import type { RideChoices } from './ride.ts'

type JsonObject = Readonly<Record<string, JsonValue>>

export interface RideConfiguration extends Pick<
  RideChoices,
  'onBrokenCheck' | 'whenUnchanged' | 'onGatePrompt'
> {
  /** Checks, caps, rules and all else that a configuration may hold, as plain data; read in full where it is used. */
  readonly config: JsonObject
  /** Absolute. Absent: for every project of its user that has none of its own. */
  readonly workFolder?: string
  /** What a failure of our own means at the claim: the agent is held, a few times, or let go. Default `hold`. */
  readonly onCrash?: 'hold' | 'let-go'
}

export interface RidePlace extends HomeSurroundings {
  /** Undefined: the configuration for all projects of this user. */
  readonly workFolder: string | undefined
}

export function rideFileOf({ workFolder, ...surroundings }: RidePlace): string {
  const folder =
    workFolder === undefined
      ? join(stateHome(surroundings), 'donecheck')
      : defaultStoreFolder({ ...surroundings, workFolder })
  return join(folder, 'ride.json')
}

/** Readable by its owner alone; replaced as a whole. */
export function writeRideFile(place: RidePlace, configuration: RideConfiguration): void {
  const file = rideFileOf(place)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const beside = `${file}.${process.pid}.new`
  const text = `${JSON.stringify({ version, ...configuration }, null, 2)}\n`
  writeFileSync(beside, text, { mode: 0o600 })
  renameSync(beside, file)
}

export function removeRideFile(place: RidePlace): void {
  rmSync(rideFileOf(place), { force: true })
  const { workFolder } = place
  if (workFolder !== undefined) forgetKnownRecord({ ...place, workFolder })
}

/**
 * Undefined: there is none.
 * @throws {UsageError} where it cannot be read, or holds something else
 */
export function readRideFile(place: RidePlace): RideConfiguration | undefined {
  const file = rideFileOf(place)
  const text = textOf(file)
  return text === undefined ? undefined : configurationOf(text, file)
}

const version = 1

function textOf(file: string): string | undefined {
  let descriptor: number | undefined
  try {
    // A pipe in its place would be waited for until the agent has gone on without an answer, and a link leads anywhere.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    if (!fstatSync(descriptor).isFile()) throw new TypeError('it is no file')
    return readFileSync(descriptor, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR'))
      return undefined
    throw broken(file, error instanceof Error ? error.message : String(error))
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

/** By hand: a hook reads it at every tool call, and a schema takes longer to be made than all else. */
function configurationOf(text: string, file: string): RideConfiguration {
  const given = objectOf(jsonOf(text, file))
  if (given === undefined) throw broken(file, 'it holds no object')
  if (given['version'] !== version)
    throw broken(
      file,
      `it has version ${JSON.stringify(given['version'])}; this donecheck reads version ${version}`,
    )
  const config = objectOf(given['config'])
  if (config === undefined) throw broken(file, 'config is no object')
  const { workFolder } = given
  if (workFolder !== undefined && typeof workFolder !== 'string') throw broken(file, 'workFolder is no text')
  return {
    config,
    ...(workFolder === undefined ? {} : { workFolder }),
    ...choice(given, 'onBrokenCheck', ['hold', 'let-go'], file),
    ...choice(given, 'whenUnchanged', ['verify', 'let-go'], file),
    ...choice(given, 'onGatePrompt', ['agent', 'ask', 'approver'], file),
    ...choice(given, 'onCrash', ['hold', 'let-go'], file),
  }
}

function jsonOf(text: string, file: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch (error) {
    throw broken(file, error instanceof Error ? error.message : String(error))
  }
}

function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !isList(value) ? value : undefined
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

function choice<const Key extends string, const Word extends string>(
  given: JsonObject,
  key: Key,
  words: readonly Word[],
  file: string,
): Readonly<Partial<Record<Key, Word>>> {
  const said = given[key]
  const chosen: Partial<Record<Key, Word>> = {}
  if (said === undefined) return chosen
  const word = words.find((known) => known === said)
  if (word === undefined)
    throw broken(file, `${key} is ${JSON.stringify(said)}; it can be ${words.join(' or ')}`)
  chosen[key] = word
  return chosen
}

function broken(file: string, problem: string): UsageError {
  return new UsageError(`${file} cannot be used: ${problem}; install the hooks anew: donecheck install AGENT`)
}
