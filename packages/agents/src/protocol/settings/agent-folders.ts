/** `trustedFolders.json` of Gemini CLI and its kin: `{ "/a/folder": "TRUST_FOLDER" | "TRUST_PARENT" | "DO_NOT_TRUST" }`. Pure. */
import { dirname, sep, resolve } from 'node:path'
import type { Payload } from '../hooks/index.ts'
import type { SettingsContext } from './hook-settings.ts'

interface FolderTrust {
  /** For people. */
  readonly title: string
  /** As it is typed. */
  readonly program: string
  /** Absolute. */
  readonly file: string
}

/**
 * Why hooks in the settings of a project would not run; undefined: the folder is trusted. The longest rule counts.
 * @param rules undefined: there is no such file
 */
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

/** What a variable holds; undefined: it is not set, or set to nothing. */
export function variableIn(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  const value = environment[name]
  return value === undefined || value.trim() === '' ? undefined : value
}

/**
 * Absolute. A value that is not begins where the agent is started, which is taken to be the project.
 * @param usual where the variable says nothing
 */
export function folderNamed(
  name: string,
  { environment, workFolder }: SettingsContext,
  usual: string,
): string {
  const value = variableIn(environment, name)
  return value === undefined ? usual : resolve(workFolder, value)
}
