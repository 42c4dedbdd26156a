import { opendir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

const checkKinds = ['tests', 'lint', 'typecheck', 'build'] as const
export type CheckKind = (typeof checkKinds)[number]

export interface Candidate {
  readonly check: CheckKind
  readonly command: string
  readonly why: string
  /** A script of the project, not inferred from its files. */
  readonly isScript?: true
}

export interface Detection {
  readonly candidates: readonly Candidate[]
  readonly problems?: readonly string[]
}

const largestManifestBytes = 1024 * 1024
const maxNames = 2_000

export interface ProjectFiles {
  readonly folder: string
  readonly hasProgram: (name: string) => boolean
  has(path: string): Promise<boolean>
  first(paths: readonly string[]): Promise<string | undefined>
  /** @returns undefined if missing or too large */
  text(path: string): Promise<string | undefined>
  /** Sorted; at most 2,000. */
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
  /** The first existing file identifies the ecosystem. */
  readonly marker: readonly string[] | RegExp
  readonly what: string
  /** Scripts in it, by name; undefined if unreadable. */
  readonly scripts?: {
    readonly runner: string
    readonly word: string
    readonly read: (manifest: string) => ReadonlyMap<string, string> | undefined
  }
  /** Wrapper script in the project. */
  readonly wrapper?: string
  /** Best first. @param wrapper undefined if none exists */
  readonly checks?: (manifest: string, wrapper: string | undefined, file: string) => readonly Check[]
  /** Reported if no check is found. */
  readonly problem?: string
}

export type Check = readonly [check: CheckKind, command: string, because?: Because]

interface Because {
  readonly config?: readonly string[]
  readonly named?: string | undefined
  readonly note?: string
}

/** Returns checks with a reason. @param manifest names tools @param why default reason */
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

const usualNames: Readonly<Record<CheckKind, readonly string[]>> = {
  tests: ['test', 'tests', 'test:unit', 'unit-test', 'unit'],
  lint: ['lint', 'lint:check', 'eslint'],
  typecheck: ['typecheck', 'type-check', 'types:check', 'check-types', 'check:types', 'types', 'tsc'],
  build: ['build', 'compile'],
}

const typeCheckers = /\b(tsc|vue-tsc|svelte-check|astro check|mypy|pyright)\b/
const linters = /\b(eslint|biome|oxlint|ruff|flake8|prettier|clippy)\b/

/** Project scripts that make a check. `check` is classified by its text. */
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
