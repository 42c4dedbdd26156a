/** What a project checks itself with. */
export const checkKinds = ['tests', 'lint', 'typecheck', 'build'] as const

export type CheckKind = (typeof checkKinds)[number]

export type DetectedCheck =
  | { readonly kind: 'found'; readonly command: string; readonly why: string }
  | { readonly kind: 'not-found'; readonly lookedFor: string }

export type DetectedProject = Readonly<Record<CheckKind, DetectedCheck>> & {
  /** Manifests that could not be read, one sentence each. */
  readonly problems: readonly string[]
}

/** One way to make a check. */
export interface Candidate {
  readonly check: CheckKind
  readonly command: string
  readonly why: string
  /** `script`: the project's own word for it. `tool`: what its files let us conclude. */
  readonly source: 'script' | 'tool'
}

export interface Detection {
  readonly candidates: readonly Candidate[]
  readonly problems: readonly string[]
}

/** Finds the candidates of one kind of project, best first. Reads; never runs anything. */
export type Detector = (files: ProjectFiles) => Promise<Detection>

/** The project's folder, as far as it is looked at. */
export interface ProjectFiles {
  /** Absolute. */
  readonly folder: string
  /** Whether there is a file or folder with this path, relative to the folder. */
  has(path: string): Promise<boolean>
  /** Its text; undefined: there is none, or it is too large to be a manifest. */
  text(path: string): Promise<string | undefined>
  /** Names in a folder of the project, sorted; at most 2,000. */
  names(path: string): Promise<readonly string[]>
}

export const nothingDetected: Detection = { candidates: [], problems: [] }

export function tool(check: CheckKind, command: string, why: string): Candidate {
  return { check, command, why, source: 'tool' }
}

export function script(check: CheckKind, command: string, why: string): Candidate {
  return { check, command, why, source: 'script' }
}

/** The first of the paths that is there. */
export async function findFirst(files: ProjectFiles, paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if (await files.has(path)) return path
  return undefined
}
