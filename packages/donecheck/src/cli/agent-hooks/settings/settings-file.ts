import { chmod, lstat, mkdir, open, readFile, realpath, rename, rm, rmdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { UsageError, messageOf } from '@donecheck/engine/internal/base'
import {
  readSettings,
  type SettingsContext,
  type SettingsScope,
  type SettingsHook,
  hookLine,
  type WantedHook,
} from '@donecheck/agents/internal/protocol/settings'
import type { HookRegistration } from '@donecheck/agents/internal/protocol/hooks'
import type { Payload } from '@donecheck/agents/internal/protocol/host'
import { isDeepStrictEqual } from 'node:util'
import type { HookedAgent } from '../../agents/agents.ts'

export interface SettingsFile {
  /** As it was named; links are followed when it is written. */
  readonly file: string
  readonly bytes: Buffer | undefined
  readonly text: string | undefined
}

export async function readSettingsFile(file: string): Promise<SettingsFile> {
  const bytes = await readBytes(file)
  if (bytes === undefined) return { file, bytes, text: undefined }
  try {
    // Keeps a byte order mark.
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return { file, bytes, text }
  } catch {
    throw new UsageError(`${file} is no UTF-8 text; nothing was changed`)
  }
}

async function readBytes(file: string): Promise<Buffer | undefined> {
  try {
    // Writing over a link to a device would replace the device.
    const found = await stat(file)
    if (!found.isFile())
      throw new UsageError(
        `${file} is ${found.isDirectory() ? 'a folder' : 'no regular file'}: put a file there, or take another scope with --scope; nothing was changed`,
      )
    return await readFile(file)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT' && !(await isLink(file)))
      return undefined
    throw describeFileError(file, 'read', error)
  }
}

/** A dangling link counts as a file: another program manages it. */
export async function isLink(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isSymbolicLink()
  } catch {
    return false
  }
}

/** Atomic; keeps the mode. @param newMode mode of a new file @returns folders it created, the outermost first */
export async function writeSettingsFile(
  file: string,
  content: string | Uint8Array,
  newMode = 0o644,
): Promise<readonly string[]> {
  const folders = await makeFolders(dirname(file))
  const place = await resolveFile(file)
  const mode = await readMode(place, newMode)
  const draft = join(dirname(place), `.donecheck-${process.pid}-${performance.now()}`)
  try {
    const handle = await open(draft, 'wx', mode)
    try {
      await handle.writeFile(content)
      await handle.sync()
    } finally {
      await handle.close()
    }
    // The umask may have removed bits.
    await chmod(draft, mode)
    await rename(draft, place)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
  return folders
}

export async function removeSettingsFile(file: string, folders: readonly string[]): Promise<void> {
  await rm(file, { force: true })
  for (const folder of folders.toReversed()) {
    try {
      await rmdir(folder)
    } catch {
      return
    }
  }
}

async function makeFolders(folder: string): Promise<readonly string[]> {
  const first = await mkdir(folder, { recursive: true, mode: 0o755 })
  if (first === undefined) return []
  const made: string[] = []
  for (let one = folder; one.length >= first.length; one = dirname(one)) made.unshift(one)
  return made
}

async function resolveFile(file: string): Promise<string> {
  try {
    return await realpath(file)
  } catch {
    return file
  }
}

async function readMode(file: string, newMode: number): Promise<number> {
  try {
    return (await stat(file)).mode & 0o777
  } catch {
    return newMode
  }
}

const meanings: Readonly<Record<string, string>> = {
  ENOENT: 'it is a link that leads nowhere: mend it, or take it away',
  EACCES: 'permission denied: change its owner or its mode, or those of its folder',
  EPERM: 'not permitted: it may be locked, or belong to somebody else: change that',
  EROFS: 'the file system is read-only: another scope (--scope) may lie on another one',
  ENOSPC: 'no space is left on the device: make some, then try again',
  EDQUOT: 'your quota of the device is used up: make some space, then try again',
  ENOTDIR: 'something on the way to it is no folder: move that out of the way',
  EEXIST: 'something on the way to it is no folder: move that out of the way',
  EISDIR: 'it is a folder: move that out of the way',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long',
}

/** Returns other errors unchanged. */
export function describeFileError(file: string, doing: string, error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (typeof code !== 'string' || error instanceof UsageError || !/^E[A-Z0-9]+$/u.test(code)) return error
  return new UsageError(
    `${file} cannot be ${doing} (${code}: ${meanings[code] ?? 'the file system refused'})`,
    {
      cause: error,
    },
  )
}

export interface InstalledHooks {
  readonly scope: SettingsScope
  readonly file: string
  readonly ours: readonly OurHook[]
  readonly others: readonly SettingsHook[]
}

export type OurHook = SettingsHook & { readonly ours: NonNullable<SettingsHook['ours']> }

export interface InstalledSettings {
  readonly installed: readonly InstalledHooks[]
  readonly settings: readonly { readonly file: string; readonly settings: Payload }[]
  readonly problems: readonly string[]
}

export async function findInstalled(agent: HookedAgent, place: SettingsContext): Promise<InstalledSettings> {
  const installed: InstalledHooks[] = []
  const settings: { readonly file: string; readonly settings: Payload }[] = []
  const problems: string[] = []
  const scopes = (['user', 'project'] as const).map((scope) => ({
    scope,
    file: agent.settings.file(scope, place),
  }))
  const further = agent.settings.otherFiles(place).map((file) => ({ scope: undefined, file }))
  for (const { scope, file } of [...scopes, ...further]) {
    const read = await readAgentSettings(agent.settings, file)
    if (read.kind === 'unreadable') {
      problems.push(read.problem)
      continue
    }
    settings.push({ file, settings: read.settings })
    const ours = read.hooks.flatMap((hook) => (hook.ours === undefined ? [] : [{ ...hook, ours: hook.ours }]))
    const others = read.hooks.filter((hook) => hook.ours === undefined)
    if (scope !== undefined && ours.length > 0) installed.push({ scope, file, ours, others })
  }
  return { installed, settings, problems }
}

export async function readAgentSettings(dialect: HookedAgent['settings'], file: string) {
  try {
    const read = readSettings((await readSettingsFile(file)).text, dialect)
    return read.kind === 'read' ? read : { ...read, problem: `${file} cannot be read: ${read.problem}` }
  } catch (error) {
    return { kind: 'unreadable' as const, problem: messageOf(error) }
  }
}

/** A hook at a tool call takes milliseconds; after this it hangs. */
const quickSeconds = 60

export interface Wanted {
  readonly agent: HookedAgent
  readonly timeoutSeconds: number
  /** Absolute paths. */
  readonly node: string
  readonly program: string
}

export function wantedHooks(wanted: Wanted): readonly WantedHook[] {
  return wanted.agent.protocol.registrations.map((registration) => wantedHook(registration, wanted))
}

function wantedHook(
  registration: HookRegistration,
  { agent, timeoutSeconds, node, program }: Wanted,
): WantedHook {
  const { protocol, settings } = agent
  const { event, as, matcher, verifies } = registration
  const limit = verifies === true ? { timeoutSeconds } : {}
  const command = { node, program, agent: protocol.agent, word: as ?? event, ...limit }
  const line = hookLine(command, settings.goneAnswer(goneMessage))
  return {
    event,
    ...(matcher === undefined ? {} : { matcher }),
    entry: settings.entry(registration, line, timeoutFor(registration, timeoutSeconds)),
  }
}

function timeoutFor({ verifies, maxSeconds }: HookRegistration, timeoutSeconds: number): number {
  return verifies === true ? timeoutSeconds : Math.min(quickSeconds, maxSeconds ?? quickSeconds)
}

const usualTimeoutSeconds = 600

/** Changed matchers, timeouts or `async` may keep a hook from running. */
export function changedEntries(agent: HookedAgent, { file, ours }: InstalledHooks): readonly string[] {
  return ours.flatMap((hook) => changesOf(agent, hook).map((text) => `${file}: the hook of ${text}`))
}

function changesOf(agent: HookedAgent, { event, matcher, entry, ours }: OurHook): readonly string[] {
  const { word, node, program, timeoutSeconds = usualTimeoutSeconds } = ours
  const registration = agent.protocol.registrations.find((one) => (one.as ?? one.event) === word)
  if (registration?.event !== event) return []
  const wanted = wantedHook(registration, { agent, node, program, timeoutSeconds })
  const here = fieldsOf(entry, matcher === '' ? undefined : matcher)
  const there = fieldsOf(wanted.entry, wanted.matcher)
  return [...new Set([...Object.keys(here), ...Object.keys(there)])].flatMap((key) => {
    if (isDeepStrictEqual(here[key], there[key])) return []
    return [
      `${word} says ${key}: ${formatValue(here[key])} instead of ${formatValue(there[key])}; install it again`,
    ]
  })
}

function fieldsOf(entry: Payload, matcher: string | undefined): Payload {
  return matcher === undefined ? entry : { ...entry, matcher }
}

function formatValue(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value)
}

/** Printed by the hook if its program is gone. Must not contain an apostrophe. */
export const goneMessage = 'donecheck is not where it was installed: nothing is checked'
