import {
  readSettings,
  type SettingsContext,
  type SettingsScope,
  type SettingsHook,
  hookLine,
  type WantedHook,
} from '@donecheck/agents/settings'
import type { HookRegistration } from '@donecheck/agents/hooks'
import { type Payload } from '@donecheck/agents/host'
import { messageOf } from '@donecheck/engine/base'
import type { HookedAgent } from '../../agents/agent-adapters.ts'
import { readSettingsFile } from './settings-file.ts'
import { isDeepStrictEqual } from 'node:util'

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
  const line = hookLine(command, settings.goneAnswer(goneMessage), process.platform === 'win32')
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
