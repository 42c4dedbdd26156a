import { isTrueIn, textIn, type Payload } from '../host/index.ts'
import type { HookRegistration } from '../hooks/index.ts'
import { dirname, sep, resolve } from 'node:path'

/** `user`: in the home folder, for all projects. `project`: in the tree of one, where the agent can write to it. */
export type SettingsScope = 'user' | 'project'

export interface SettingsContext {
  readonly homeFolder: string
  readonly workFolder: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

export interface HookSettings {
  readonly agent: string
  /** Absolute. */
  file(scope: SettingsScope, place: SettingsContext): string
  /** `grouped`: `{matcher, hooks: […]}` is in the list of an event. `flat`: the entries themselves. */
  readonly shape: 'grouped' | 'flat'
  readonly preamble: Readonly<Record<string, number | boolean>>
  entry(
    registration: HookRegistration,
    command: string,
    timeoutSeconds: number,
  ): Readonly<Record<string, unknown>>
  commandIn(entry: Payload): string | undefined
  /** What a hook whose program is gone tells the agent. Without an apostrophe. */
  goneAnswer(message: string): string
  /** How the agent runs a line of shell; the line is the last word. */
  readonly shell: readonly string[]
  environment(folder: string): Readonly<Record<string, string>>
  /** Why hooks of a file that is read well would not run. @param settings as parsed, the user's first */
  obstacles(settings: readonly Payload[], place: SettingsContext): readonly string[]
  otherFiles(place: SettingsContext): readonly string[]
  /** Absent: hooks in the settings of a project run whether the project is trusted or not. */
  readonly projectTrust?: ProjectTrust
}

/** @param own what is not as in Claude Code, which many agents follow */
export function hookSettings(
  own: Pick<HookSettings, 'agent' | 'file'> & Partial<HookSettings>,
): HookSettings {
  return {
    shape: 'grouped',
    preamble: {},
    entry: (_registration, command, timeoutSeconds) => ({
      type: 'command',
      command,
      timeout: timeoutSeconds,
    }),
    commandIn: (entry) => textIn(entry, 'command'),
    goneAnswer: (message) => JSON.stringify({ systemMessage: message }),
    shell: ['bash', '-c'],
    environment: () => ({}),
    obstacles: (settings) =>
      settings.some((one) => isTrueIn(one, 'disableAllHooks'))
        ? ['"disableAllHooks" is true: no hook runs']
        : [],
    otherFiles: () => [],
    ...own,
  }
}

interface ProjectTrust {
  files(place: SettingsContext): readonly string[]
  /** @returns why hooks of the project would not run */
  doubt(trusted: readonly Payload[], settings: readonly Payload[], place: SettingsContext): string | undefined
}

/** A second file that must agree with the hooks, or the agent does not run them. */
export interface SettingsCompanion {
  file(place: SettingsContext): string
  agreeing(request: CompanionRequest): Promise<CompanionText>
  without(text: string, hooks: CompanionHooks): string
}

export interface CompanionHooks {
  readonly file: string
  readonly text: string
}

interface CompanionRequest {
  readonly text: string | undefined
  /** With the text of the hooks file as it will be written. */
  readonly hooks: CompanionHooks
  readonly place: SettingsContext
}

export type CompanionText =
  { readonly kind: 'agrees'; readonly text: string } | { readonly kind: 'unknown'; readonly problem: string }

interface FolderTrust {
  readonly title: string
  readonly program: string
  readonly file: string
}

/** @returns undefined if the folder is trusted; the longest rule counts */
export function doubtOfFolder(
  folder: string,
  rules: Payload | undefined,
  { title, program, file }: FolderTrust,
): string | undefined {
  const [longest] = Object.entries(rules ?? {})
    .filter(([path, level]) => isBelow(folder, level === 'TRUST_PARENT' ? dirname(path) : path))
    .toSorted(([a], [b]) => b.length - a.length)
  const level = longest?.[1]
  if (level === 'TRUST_FOLDER' || level === 'TRUST_PARENT') return undefined
  const how = `start ${program} in it once and trust it, or install with --scope user`
  return level === undefined
    ? `${title} reads the settings of a project only where the folder is trusted, and ${folder} is not (${file}): ${how}`
    : `${title} is told not to trust ${folder} (${file}): ${how}`
}

function isBelow(folder: string, place: string): boolean {
  return folder === place || folder.startsWith(place.endsWith(sep) ? place : `${place}${sep}`)
}

export function variableIn(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  const value = environment[name]
  return value === undefined || value.trim() === '' ? undefined : value
}

/** Absolute. @param usual if the variable says nothing */
export function folderNamed(
  name: string,
  { environment, workFolder }: SettingsContext,
  usual: string,
): string {
  const value = variableIn(environment, name)
  return value === undefined ? usual : resolve(workFolder, value)
}
