import { opendir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

const checkKinds = ['tests', 'lint', 'typecheck', 'build'] as const
export type CheckKind = (typeof checkKinds)[number]

export interface Candidate {
  readonly check: CheckKind
  readonly command: string
  readonly why: string
  /** The project's own word for it; otherwise what its files let us conclude. */
  readonly isScript?: true
}

export interface Detection {
  readonly candidates: readonly Candidate[]
  readonly problems?: readonly string[]
}

const largestManifestBytes = 1024 * 1024
const maxNames = 2_000

/** The project's folder, absolute, as far as it is looked at. What cannot be read is not there. */
export interface ProjectFiles {
  readonly folder: string
  readonly hasProgram: (name: string) => boolean
  has(path: string): Promise<boolean>
  first(paths: readonly string[]): Promise<string | undefined>
  /** Its text; undefined: there is none, or it is too large to be a manifest. */
  text(path: string): Promise<string | undefined>
  /** Names in a folder of the project, sorted; at most 2,000. */
  names(path: string): Promise<readonly string[]>
}

export function projectFiles(folder: string, hasProgram: (name: string) => boolean): ProjectFiles {
  const has = async (path: string) => (await stat(join(folder, path)).catch(() => undefined)) !== undefined
  return {
    folder,
    hasProgram,
    has,
    async first(paths) {
      for (const path of paths) if (await has(path)) return path
      return undefined
    },
    async text(path) {
      const found = await stat(join(folder, path)).catch(() => undefined)
      if (found === undefined || !found.isFile() || found.size > largestManifestBytes) return undefined
      return readFile(join(folder, path), 'utf8').catch(() => undefined)
    },
    names: (path) => namesIn(join(folder, path)).catch(() => []),
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

export interface Ecosystem {
  /** The first of these files, or of the names that are like it, makes a project one of these. */
  readonly marker: readonly string[] | RegExp
  readonly what: string
  /** The project's own scripts in it, by name with their text; undefined: it cannot be read. */
  readonly scripts?: {
    readonly runner: string
    readonly word: string
    readonly read: (manifest: string) => ReadonlyMap<string, string> | undefined
  }
  /** A script in the project that stands for the program. */
  readonly wrapper?: string
  /** Best first. @param wrapper what to write for it; undefined where there is none */
  readonly checks?: (manifest: string, wrapper: string | undefined, file: string) => readonly Check[]
  /** What is wrong if no check is found. */
  readonly problem?: string
}

/** A kind, a line, and what speaks for it. */
export type Check = readonly [check: CheckKind, command: string, because?: Because]

/** It counts without more, or if one of these files is there, or the manifest names this. */
interface Because {
  readonly config?: readonly string[]
  readonly named?: string | undefined
  readonly note?: string
}

/** Those for which something speaks. @param manifest what names tools @param why what speaks for the others */
export async function candidatesOf(
  files: ProjectFiles,
  checks: readonly Check[],
  manifest: string,
  why: string,
): Promise<readonly Candidate[]> {
  const found = await Promise.all(
    checks.map(async ([check, command, because = {}]): Promise<readonly Candidate[]> => {
      const config = await files.first(because.config ?? [])
      if (config !== undefined) return [{ check, command, why: `there is ${config}` }]
      if (because.named !== undefined) return [{ check, command, why: `${manifest} names ${because.named}` }]
      if ('config' in because || 'named' in because) return []
      return [{ check, command, why: because.note === undefined ? why : `${why}; ${because.note}` }]
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
  const text = scripts.get('check')
  const kindOfCheck = text && (typeCheckers.test(text) ? 'typecheck' : linters.test(text) ? 'lint' : 'tests')
  return checkKinds.flatMap((check) => {
    const usual = usualNames[check].find((candidate) => scripts.has(candidate))
    const name = usual ?? (kindOfCheck === check ? 'check' : undefined)
    return name === undefined
      ? []
      : [{ check, command: lineOf(name), why: whyOf(name), isScript: true as const }]
  })
}
