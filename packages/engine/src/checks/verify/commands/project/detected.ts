/** What a project checks itself with, and what is found out about it. */
import { opendir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

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
  readonly problems?: readonly string[]
}

/** Finds the candidates of one kind of project, best first. Reads; never runs anything. */
export type Detector = (files: ProjectFiles) => Promise<Detection>

export const nothingDetected: Detection = { candidates: [] }

export function tool(check: CheckKind, command: string, why: string): Candidate {
  return { check, command, why, source: 'tool' }
}

export type ProjectFiles = ReturnType<typeof projectFiles>

const largestManifestBytes = 1024 * 1024
const maxNames = 2_000

/** Whether a program with this name is installed. */
export type HasProgram = (name: string) => boolean

/** The project's folder, absolute, as far as it is looked at. What cannot be read is not there. */
export function projectFiles(folder: string, hasProgram: HasProgram) {
  return {
    folder,
    hasProgram,
    /** Whether there is a file or folder with this path, relative to the folder. */
    has: async (path: string) => (await stat(join(folder, path)).catch(() => undefined)) !== undefined,
    /** Its text; undefined: there is none, or it is too large to be a manifest. */
    text: async (path: string) => {
      const found = await stat(join(folder, path)).catch(() => undefined)
      if (found === undefined || !found.isFile() || found.size > largestManifestBytes) return undefined
      return readFile(join(folder, path), 'utf8').catch(() => undefined)
    },
    /** Names in a folder of the project, sorted; at most 2,000. */
    names: async (path: string) => namesIn(join(folder, path)).catch(() => []),
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const names: string[] = []
  for await (const { name } of await opendir(folder)) {
    names.push(name)
    if (names.length >= maxNames) break
  }
  return names.sort()
}

/** The first of the paths that is there. */
export async function findFirst(files: ProjectFiles, paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if (await files.has(path)) return path
  return undefined
}

/** A program, what stands behind its name in a line, and the files that show that the project uses it. */
export type ToolRow = readonly [check: CheckKind, name: string, args: string, configs: readonly string[]]

/** The tools that the project uses: one of their files is there, or `named` says why it is meant all the same. */
export async function toolsIn(
  files: ProjectFiles,
  rows: readonly ToolRow[],
  named: (name: string) => string | undefined,
  candidate: (check: CheckKind, name: string, args: string, why: string) => Candidate | Promise<Candidate>,
): Promise<readonly Candidate[]> {
  const found = await Promise.all(
    rows.map(async ([check, name, args, configs]) => {
      const config = await findFirst(files, configs)
      const why = config === undefined ? named(name) : `there is ${config}`
      return why === undefined ? [] : [await candidate(check, name, args, why)]
    }),
  )
  return found.flat()
}

/** Names that projects give to their checks, best first. */
const usualNames: Readonly<Record<CheckKind, readonly string[]>> = {
  tests: ['test', 'tests', 'test:unit', 'unit-test', 'unit'],
  lint: ['lint', 'lint:check', 'eslint'],
  typecheck: ['typecheck', 'type-check', 'types:check', 'check-types', 'check:types', 'types', 'tsc'],
  build: ['build', 'compile'],
}

const typeCheckers = /\b(tsc|vue-tsc|svelte-check|astro check|mypy|pyright)\b/
const linters = /\b(eslint|biome|oxlint|ruff|flake8|prettier|clippy)\b/

/** The project's own scripts that make a check, by name and text. `check` is what its text shows it to be. */
export function scriptsAmong(
  scripts: ReadonlyMap<string, string>,
  lineOf: (name: string) => string,
  whyOf: (name: string) => string,
): readonly Candidate[] {
  const found = new Map<CheckKind, string>()
  for (const kind of checkKinds) {
    const name = usualNames[kind].find((candidate) => scripts.has(candidate))
    if (name !== undefined) found.set(kind, name)
  }
  const text = scripts.get('check')
  if (text !== undefined) {
    const kind = typeCheckers.test(text) ? 'typecheck' : linters.test(text) ? 'lint' : 'tests'
    if (!found.has(kind)) found.set(kind, 'check')
  }
  return [...found].map(([check, name]) => {
    return { check, command: lineOf(name), why: whyOf(name), source: 'script' }
  })
}
