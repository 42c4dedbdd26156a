import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join, basename } from 'node:path'
import {
  UsageError,
  isJsonList,
  messageOf,
  stateHome,
  type HomeEnvironment,
} from '@donecheck/engine/internal/base'
import type { JsonValue } from '@donecheck/core/internal/events'
import { defaultStoreFolder } from '@donecheck/engine/store'
import type { AgentSessionChoices } from '../session.ts'
import { readRegularFile, replaceFile } from './own-file.ts'

type JsonObject = Readonly<Record<string, JsonValue>>

export interface SessionConfiguration extends Pick<
  AgentSessionChoices,
  'onBrokenCheck' | 'whenUnchanged' | 'onGatePrompt'
> {
  readonly config: JsonObject
  /** Absolute. Absent: for all projects of this user without their own file. */
  readonly workFolder?: string
  /** Whether an internal failure at the claim blocks the agent a few times (default) or lets it stop. */
  readonly onCrash?: 'hold' | 'allow-stop'
}

export interface SessionFileLocation extends HomeEnvironment {
  /** Undefined selects the configuration for all projects of this user. */
  readonly workFolder: string | undefined
}

export function sessionFileOf({ workFolder, ...home }: SessionFileLocation): string {
  const folder =
    workFolder === undefined
      ? join(stateHome(home), 'donecheck')
      : defaultStoreFolder({ ...home, workFolder })
  return join(folder, 'session.json')
}

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

/** @throws {UsageError} if it cannot be read or is invalid */
export function readSessionFile(place: SessionFileLocation): SessionConfiguration | undefined {
  const file = sessionFileOf(place)
  const text = readText(file)
  return text === undefined ? undefined : configurationOf(text, file)
}

const version = 1
const maxBytes = 8 * 1024 * 1024

function readText(file: string): string | undefined {
  try {
    return readRegularFile(file, maxBytes)?.toString('utf8')
  } catch (error) {
    throw brokenFile(file, messageOf(error))
  }
}

/** Parsed by hand: a hook reads it at every tool call, and a schema is too slow to build. */
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

interface RecordedProject extends HomeEnvironment {
  readonly workFolder: string
}

export function hasKnownRecord(project: RecordedProject, agreedAtMs = 0): boolean {
  const notedAtMs = changeTimeMs(fileOf(project))
  return notedAtMs !== undefined && notedAtMs >= agreedAtMs
}

export function noteKnownRecord(project: RecordedProject, agreedAtMs = 0): void {
  if (hasKnownRecord(project, agreedAtMs)) return
  const file = fileOf(project)
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    rmSync(file, { force: true })
    writeFileSync(file, '', { flag: 'wx', mode: 0o600 })
  } catch {
    return
  }
}

function forgetKnownRecord(project: RecordedProject): void {
  rmSync(fileOf(project), { force: true })
}

/** In Unix milliseconds; undefined if the file is missing or unreadable. */
export function changeTimeMs(file: string): number | undefined {
  try {
    return statSync(file).mtimeMs
  } catch {
    return undefined
  }
}

function fileOf(project: RecordedProject): string {
  return join(stateHome(project), 'donecheck', 'known', basename(defaultStoreFolder(project)))
}
