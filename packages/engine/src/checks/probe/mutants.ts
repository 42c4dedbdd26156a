import { javaScriptMutations } from './javascript/mutations.ts'
import { readJavaScript } from './javascript/syntax.ts'
import { lineLanguageOf } from './lines/language.ts'
import { lineMutations } from './lines/mutations.ts'
import { liesOn, plant, sourceLines, type FaultKind, type Mutation } from './mutation.ts'
import { selectMutations, type Candidate } from './select.ts'
import { assertKnownKeys, optionKeys } from '../../base/index.ts'

/** A source file as it is after the change. */
export interface ChangedSource {
  /** Relative to the work folder. */
  readonly path: string
  readonly text: string
  /** From 1. Nothing is planted on any other line. */
  readonly changedLines: ReadonlySet<number>
}

/** The whole text of a file with one fault in it. */
export interface Mutant {
  readonly path: string
  /** Where the fault begins, from 1. */
  readonly line: number
  readonly kind: FaultKind
  /** What happened to the code, such as "`<` became `>=`". */
  readonly description: string
  readonly text: string
}

export interface MutantOptions {
  /** Default 8. */
  readonly maxMutants?: number
}

const mutantKeys = optionKeys<MutantOptions>()('maxMutants')

const defaultMaxMutants = 8

/**
 * Faults planted in changed lines, spread over files, lines and kinds; the same ones for the same sources. JavaScript and
 * TypeScript are read by syntax tree, and every mutant of them parses; Python, Go, Rust, Java, C and their like by rules
 * for tokens, so that one may not compile. A mutant may happen to do the same as the original (`i < n` and `i != n` in a
 * loop), and no check can catch that one. Errors, logs and labels are left as they are.
 */
export function mutantsOf(sources: readonly ChangedSource[], options: MutantOptions = {}): readonly Mutant[] {
  assertKnownKeys(options, mutantKeys, 'mutantsOf')
  const { maxMutants = defaultMaxMutants } = options
  return selectMutations(sources.flatMap(candidatesIn), maxMutants, isWhole).map(asMutant)
}

/** Whether faults can be planted in such a file: in a language that is read, and written by hand. */
export function isMutable(path: string): boolean {
  if (/\.d\.[cm]?ts$|\.min\.[cm]?js$|(?:^|\/)(?:dist|vendor|node_modules)\//u.test(path)) return false
  return isJavaScript(path) || lineLanguageOf(path) !== undefined
}

function candidatesIn({ path, text, changedLines }: ChangedSource): readonly Candidate[] {
  const lines = sourceLines(text)
  return mutationsIn(path, text)
    .filter((mutation) => liesOn(mutation, text, lines, changedLines))
    .map((mutation) => ({ path, text, line: lines.lineAt(mutation.start), mutation }))
}

function mutationsIn(path: string, text: string): readonly Mutation[] {
  if (!isMutable(path)) return []
  if (isJavaScript(path)) {
    const source = readJavaScript(path, text)
    return source === undefined ? [] : javaScriptMutations(source)
  }
  const language = lineLanguageOf(path)
  return language === undefined ? [] : lineMutations(text, sourceLines(text), language)
}

function isJavaScript(path: string): boolean {
  return /\.[cm]?[jt]sx?$/u.test(path)
}

function isWhole({ path, text, mutation }: Candidate): boolean {
  return !isJavaScript(path) || readJavaScript(path, plant(text, mutation)) !== undefined
}

function asMutant({ path, text, line, mutation }: Candidate): Mutant {
  const { kind, description } = mutation
  return { path, line, kind, description, text: plant(text, mutation) }
}
