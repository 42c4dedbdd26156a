import type { Sandbox } from '../../ports/gate.ts'
import { optionKeys } from '../../base/index.ts'

/** What a process may reach, in the same words for every driver. */
export interface SandboxOptions {
  /** The folder that the process may change. It may come into being later. */
  readonly workFolder: string
  /** Folders besides that may be written, such as the cache of a package manager. They must exist. */
  readonly writableFolders?: readonly string[]
  /** Files and folders that cannot even be read, besides the well-known places of secrets. Those that do not exist are passed over. */
  readonly deniedPaths?: readonly string[]
  /** Well-known places of secrets that may be read all the same. */
  readonly readablePaths?: readonly string[]
  /** Files and folders that can be read and not changed, relative to the work folder: the scripts that check the work. */
  readonly protectedPaths?: readonly string[]
  /** Default `off`: not even the loopback of the host is reached. */
  readonly network?: 'off' | 'on'
  /** Names of variables that are passed on besides the harmless ones. */
  readonly variables?: readonly string[]
  /** A folder that is `/tmp` inside and outlives the process. Default: an empty one for every process. */
  readonly temporaryFolder?: string
  /** Whose places of secrets are hidden. Default: that of this process. */
  readonly homeFolder?: string
  /** Where programs are looked for (`PATH`), and what names places of secrets. Default: that of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>
}

export const sandboxKeys = optionKeys<SandboxOptions>()(`
  workFolder! writableFolders deniedPaths readablePaths protectedPaths network variables temporaryFolder
  homeFolder environment
`)

/** A driver was tried on this machine. */
export type SandboxTrial =
  | { readonly kind: 'works'; readonly sandbox: Sandbox }
  /** One sentence, with the way out where there is one. */
  | { readonly kind: 'unusable'; readonly problem: string }

export function unusable(problem: string): SandboxTrial {
  return { kind: 'unusable', problem }
}
