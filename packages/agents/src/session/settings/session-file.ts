/** What a hosted session is configured with: pinned when the hooks are installed, kept outside of the tree that the agent writes to. */
import { mkdirSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UsageError, isJsonList, messageOf, stateHome, type HomeEnvironment } from '@donecheck/engine/base'
import type { JsonValue } from '@donecheck/core/events'
import { defaultStoreFolder } from '@donecheck/engine/store'
import { forgetKnownRecord } from './known-record.ts'
import { readRegularFile, replaceFile } from './own-file.ts'
import type { HostedSessionChoices } from '../session.ts'

type JsonObject = Readonly<Record<string, JsonValue>>

export interface SessionConfiguration extends Pick<
  HostedSessionChoices,
  'onBrokenCheck' | 'whenUnchanged' | 'onGatePrompt'
> {
  /** Checks, caps, rules and all else that a configuration may hold, as plain data; read in full where it is used. */
  readonly config: JsonObject
  /** Absolute. Absent: for every project of its user that has none of its own. */
  readonly workFolder?: string
  /** What a failure of our own means at the claim: the agent is held, a few times, or allowed to stop. Default `hold`. */
  readonly onCrash?: 'hold' | 'allow-stop'
}

export interface SessionFileLocation extends HomeEnvironment {
  /** Undefined: the configuration for all projects of this user. */
  readonly workFolder: string | undefined
}

export function sessionFileOf({ workFolder, ...home }: SessionFileLocation): string {
  const folder =
    workFolder === undefined
      ? join(stateHome(home), 'donecheck')
      : defaultStoreFolder({ ...home, workFolder })
  return join(folder, 'session.json')
}

/** Readable by its owner alone; replaced as a whole. */
export function writeSessionFile(place: SessionFileLocation, configuration: SessionConfiguration): void {
  const file = sessionFileOf(place)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  replaceFile(file, `${JSON.stringify({ version, ...configuration }, null, 2)}\n`)
}

export function removeSessionFile(place: SessionFileLocation): void {
  rmSync(sessionFileOf(place), { force: true })
  const { workFolder } = place
  if (workFolder !== undefined) forgetKnownRecord({ ...place, workFolder })
}

/**
 * Undefined: there is none.
 * @throws {UsageError} where it cannot be read, or holds something else
 */
export function readSessionFile(place: SessionFileLocation): SessionConfiguration | undefined {
  const file = sessionFileOf(place)
  const text = readText(file)
  return text === undefined ? undefined : configurationOf(text, file)
}

const version = 1
const maxBytes = 8 * 1024 * 1024

function readText(file: string): string | undefined {
  try {
    // A pipe in its place would be waited for until the agent has gone on without an answer, and a link leads anywhere.
    return readRegularFile(file, maxBytes)?.toString('utf8')
  } catch (error) {
    throw brokenFile(file, messageOf(error))
  }
}

/** By hand: a hook reads it at every tool call, and a schema takes longer to be made than all else. */
function configurationOf(text: string, file: string): SessionConfiguration {
  const given = objectOf(parseJson(text, file))
  if (given === undefined) throw brokenFile(file, 'it holds no object')
  if (given['version'] !== version)
    throw brokenFile(
      file,
      `it has version ${JSON.stringify(given['version'])}; this donecheck reads version ${version}`,
    )
  const config = objectOf(given['config'])
  if (config === undefined) throw brokenFile(file, 'config is no object')
  const { workFolder } = given
  if (workFolder !== undefined && typeof workFolder !== 'string')
    throw brokenFile(file, 'workFolder is no text')
  return {
    config,
    ...(workFolder === undefined ? {} : { workFolder }),
    ...choice(given, 'onBrokenCheck', ['hold', 'allow-stop'], file),
    ...choice(given, 'whenUnchanged', ['verify', 'allow-stop'], file),
    ...choice(given, 'onGatePrompt', ['agent', 'ask', 'approver'], file),
    ...choice(given, 'onCrash', ['hold', 'allow-stop'], file),
  }
}

function parseJson(text: string, file: string): JsonValue {
  try {
    return JSON.parse(text) as JsonValue
  } catch (error) {
    throw brokenFile(file, messageOf(error))
  }
}

function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !isJsonList(value) ? value : undefined
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
    throw brokenFile(file, `${key} is ${JSON.stringify(said)}; it can be ${words.join(' or ')}`)
  chosen[key] = word
  return chosen
}

function brokenFile(file: string, problem: string): UsageError {
  return new UsageError(`${file} cannot be used: ${problem}; install the hooks anew: donecheck install AGENT`)
}
