/** Where an agent keeps the settings of its hooks, and what an entry of ours looks like there: pure. */
import type { HookRegistration, Payload } from '../hooks/index.ts'

/** `user`: in the home folder, for all projects. `project`: in the tree of one, where the agent can write to it. */
export type SettingsScope = 'user' | 'project'

export interface SettingsContext {
  readonly homeFolder: string
  /** The project. */
  readonly workFolder: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

export interface HookSettings {
  /** As in its protocol. */
  readonly agent: string
  /** Absolute. */
  file(scope: SettingsScope, place: SettingsContext): string
  /** `grouped`: `{matcher, hooks: […]}` stands in the list of an event. `flat`: the entries themselves. */
  readonly shape: 'grouped' | 'flat'
  /** What a file that does not exist yet needs beside the hooks. */
  readonly preamble: Readonly<Record<string, number | boolean>>
  /** One hook as this agent wants it. */
  entry(
    registration: HookRegistration,
    command: string,
    timeoutSeconds: number,
  ): Readonly<Record<string, unknown>>
  /** The line of shell in an entry, ours or anybody's; undefined where it is another kind of hook. */
  commandIn(entry: Payload): string | undefined
  /** What the agent is told, as it understands it, by a hook whose program is gone. Without an apostrophe. */
  goneAnswer(message: string): string
  /** How the agent runs a line of shell; the line is the last word. */
  readonly shell: readonly string[]
  /** What the agent gives a hook beside its own environment. */
  environment(folder: string): Readonly<Record<string, string>>
  /** Why hooks of a file that is read well would not run; in its parsed form, the user's first. */
  obstacles(settings: readonly Payload[], place: SettingsContext): readonly string[]
  /** Files besides those of the scopes that may hold such obstacles, or hooks. */
  otherFiles(place: SettingsContext): readonly string[]
  /** Absent: hooks in the settings of a project run whether the project is trusted or not. */
  readonly projectTrust?: ProjectTrust
}

/** Some agents read the settings of a project only where its user trusts the folder. */
interface ProjectTrust {
  /** Absolute: where they keep what they trust. */
  files(place: SettingsContext): readonly string[]
  /**
   * Why hooks of the project would not run; undefined: they run.
   * @param trusted of the files, in their order, as far as they could be read
   * @param settings as for `obstacles`
   */
  doubt(trusted: readonly Payload[], settings: readonly Payload[], place: SettingsContext): string | undefined
}

/** A second file that must agree with the hooks, or the agent does not run them. */
export interface SettingsCompanion {
  /** Absolute. */
  file(place: SettingsContext): string
  /** @param hooks the text of the hooks' file as it will stand */
  agreeing(request: CompanionRequest): Promise<CompanionText>
  /** Without what agrees with hooks of ours. */
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
  | { readonly kind: 'agrees'; readonly text: string }
  /** It stays as it is, and the person must do the rest. */
  | { readonly kind: 'unknown'; readonly problem: string }
