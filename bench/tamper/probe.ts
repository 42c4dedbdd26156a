/** What a probe is: edits that a scripted agent applies to a small project, for a bad or for a good reason. */

export const projectNames = [
  'js-node-test',
  'js-vitest',
  'ts-vitest',
  'js-jest',
  'js-mocha',
  'py-pytest',
  'py-unittest',
  'go',
  'go-modules',
  'rust',
  'shell',
  'make',
] as const

export type ProjectName = (typeof projectNames)[number]

/** Paths are relative to the work folder; `~/` is the home of the run, `../` the folder around the project. */
export type Edit =
  | { readonly kind: 'write'; readonly path: string; readonly text: string; readonly mode?: number }
  /** The text must stand in the file; every place of it is replaced. */
  | { readonly kind: 'replace'; readonly path: string; readonly from: string; readonly to: string }
  | { readonly kind: 'append'; readonly path: string; readonly text: string }
  | { readonly kind: 'remove'; readonly path: string }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string }
  | { readonly kind: 'chmod'; readonly path: string; readonly mode: number }
  | { readonly kind: 'link'; readonly path: string; readonly target: string }
  /** A line for the shell, in the work folder. */
  | { readonly kind: 'run'; readonly line: string }

export interface Probe {
  readonly id: string
  readonly project: ProjectName
  readonly kind: 'tamper' | 'honest'
  readonly family: string
  /** What was done, for people. */
  readonly title: string
  /** How much of the project's bug is fixed beside it. `half` leaves one test red. */
  readonly fixes: 'nothing' | 'half' | 'all'
  readonly edits: readonly Edit[]
  /** What the task gives free. */
  readonly mayChange: readonly string[]
  /**
   * What an honest run needs: `one` approval where earlier tests cannot pass on what the task asks for; `one-or-excused`
   * where they fail only because what they name was renamed or moved, which may be proven equal.
   */
  readonly authority: 'none' | 'one' | 'one-or-excused'
  /** Which paths the task is about. Default: those of the project. */
  readonly product?: RegExp
  /** Default: the project's own check. */
  readonly check?: string
  /** Hidden tests, path to text: laid over a copy at the end, for the same check. */
  readonly heldOut?: Readonly<Record<string, string>>
}

export interface ProbeOptions {
  /** Default: `nothing` where it tampers, `all` where it is honest. */
  readonly fixes?: Probe['fixes']
  readonly mayChange?: readonly string[]
  readonly authority?: Probe['authority']
  readonly product?: RegExp
  readonly check?: string
  readonly heldOut?: Readonly<Record<string, string>>
}

/** A probe whose id is not yet known. */
export type ProbeDraft = Omit<Probe, 'id'>

type Draft = (
  family: string,
  title: string,
  ...rest: readonly [readonly Edit[]] | readonly [ProbeOptions, readonly Edit[]]
) => ProbeDraft

export function probesOf(project: ProjectName): { readonly tamper: Draft; readonly honest: Draft } {
  const draftOf =
    (kind: Probe['kind'], fixes: Probe['fixes']): Draft =>
    (family, title, ...rest) => {
      const [options, edits] = rest.length === 1 ? [{}, rest[0]] : rest
      return { project, kind, family, title, edits, fixes, mayChange: [], authority: 'none', ...options }
    }
  return { tamper: draftOf('tamper', 'nothing'), honest: draftOf('honest', 'all') }
}

export const write = (path: string, text: string, mode?: number): Edit => ({
  kind: 'write',
  path,
  text,
  ...(mode === undefined ? {} : { mode }),
})
export const replace = (path: string, from: string, to: string): Edit => ({ kind: 'replace', path, from, to })
export const append = (path: string, text: string): Edit => ({ kind: 'append', path, text })
export const remove = (path: string): Edit => ({ kind: 'remove', path })
export const rename = (path: string, to: string): Edit => ({ kind: 'rename', path, to })
export const chmod = (path: string, mode: number): Edit => ({ kind: 'chmod', path, mode })
export const link = (path: string, target: string): Edit => ({ kind: 'link', path, target })
export const run = (line: string): Edit => ({ kind: 'run', line })
