import { isTrueIn, textIn, type Payload } from '../host/index.ts'
import type { HookRegistration } from '../hooks/index.ts'
import { dirname, join, sep, resolve } from 'node:path'

/** `user`: home folder, all projects. `project`: in its tree, where the agent can write. */
export type SettingsScope = 'user' | 'project'

export interface SettingsContext {
  readonly homeFolder: string
  readonly workFolder: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

export interface HookSettings {
  readonly agent: string
  file(scope: SettingsScope, place: SettingsContext): string
  /** `grouped`: an event lists `{matcher, hooks: […]}`. `flat`: it lists the entries. */
  readonly shape: 'grouped' | 'flat'
  readonly preamble: Readonly<Record<string, number | boolean>>
  entry(
    registration: HookRegistration,
    command: string,
    timeoutSeconds: number,
  ): Readonly<Record<string, unknown>>
  commandIn(entry: Payload): string | undefined
  /** What a hook without its program reports. No apostrophes. */
  goneAnswer(message: string): string
  /** How the agent runs a shell line, which is the last argument. */
  readonly shell: readonly string[]
  environment(folder: string): Readonly<Record<string, string>>
  /** Why valid hooks would not run. @param settings as parsed, the user's first */
  obstacles(settings: readonly Payload[], place: SettingsContext): readonly string[]
  otherFiles(place: SettingsContext): readonly string[]
  /** Absent if project hooks run in untrusted projects too. */
  readonly projectTrust?: ProjectTrust
}

/** @param own differences from Claude Code */
export function hookSettings(
  own: Pick<HookSettings, 'agent' | 'file'> & Partial<HookSettings>,
): HookSettings {
  return {
    shape: 'grouped',
    preamble: {},
    entry: (_event, command, timeoutSeconds) => ({ type: 'command', command, timeout: timeoutSeconds }),
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

/** @returns undefined if the folder is trusted; the longest rule wins */
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

/** Gemini CLI and Qwen Code name an entry and count its time in milliseconds. */
export const namedEntry: HookSettings['entry'] = (_registration, command, timeoutSeconds) => ({
  ...{ type: 'command', name: entryName, command },
  timeout: timeoutSeconds * 1000,
})

export const entryName = 'donecheck'

/** The same file in the agent's own folder and in the project's. @param variable may name the agent's own folder */
export function fileInBoth(variable: string, folder: string, name: string): HookSettings['file'] {
  return (scope, place) => {
    const own = folderNamed(variable, place, join(place.homeFolder, folder))
    return join(scope === 'user' ? own : join(place.workFolder, folder), name)
  }
}

/** Absolute. @param usual if the variable is not set */
export function folderNamed(
  name: string,
  { environment, workFolder }: SettingsContext,
  usual: string,
): string {
  const value = variableIn(environment, name)
  return value === undefined ? usual : resolve(workFolder, value)
}
