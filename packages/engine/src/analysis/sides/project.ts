/** All that the placing of one change may ask for, made when it is first asked for. */
import { startedFiles } from '../protect/index.ts'
import { type CheckRuns, checkRunsOf } from './check-runs.ts'
import { findMoves } from './moves.ts'
import { folderOf, indexOf, once, type PathIndex, resolvePath } from './path-index.ts'
import { earlierFiles, type EarlierFiles } from './earlier-files.ts'
import { nameSays } from './place/by-name.ts'
import { languageOf, maxReadLength } from './references.ts'
import { holdsOwnChecks } from './split/own-checks.ts'
import type { SidesRequest, ReadableTree } from './placement.ts'

export interface Project {
  readonly request: SidesRequest
  readonly changed: ReadonlySet<string>
  readonly index: () => PathIndex
  readonly runs: () => CheckRuns
  /** What helpers of tests in a shell read in → which of them. */
  readonly sourced: () => ReadonlyMap<string, string>
  readonly earlier: () => EarlierFiles
  /** Files that a runner reports as those of tests, with no part of the product in them. */
  readonly tests: ReadonlySet<string>
  /** Configuration of runners, compilers and linters, by name. */
  readonly configurations: () => readonly string[]
  /** New path → the path that its content had before. */
  readonly moves: () => ReadonlyMap<string, string>
}

export function projectOf(request: SidesRequest): Project {
  const { baseline, checkLines, evidence = { testFiles: [] } } = request
  const tests = new Set(evidence.testFiles.filter((path) => !holdsOwnChecks(path, baseline.text(path) ?? '')))
  const index = once(() => indexOf(baseline))
  const runs = once(() => checkRunsOf(checkLines, baseline))
  return {
    request,
    changed: new Set(request.changed),
    index,
    runs,
    sourced: once(() => sourcedByHelpers(baseline)),
    earlier: once(() => earlierFiles(index(), runs(), tests)),
    tests,
    configurations: once(() => [...baseline.paths()].filter(isConfiguration)),
    moves: once(() => findMoves(request)),
  }
}

function isConfiguration(path: string): boolean {
  const says = nameSays(path)
  return says.kind !== 'plain' && ['configuration', 'loaded-unasked'].includes(says.reason)
}

/** A library of the product is made of functions; what sets something for those who read it in is not. */
const definesFunction = /^[ \t]*(?:function[ \t]+[\w-]+|[\w-]+[ \t]*\([ \t]*\))/mu
const productFolder = /(?:^|\/)(?:src|lib|app|bin|cmd)\//u

/**
 * Path → the helper, or what it reads in, that reads it in; also where nothing is there yet. What a test itself reads in may
 * be what it asks about. What a script of the product reads in belongs to the product.
 */
function sourcedByHelpers(tree: ReadableTree): ReadonlyMap<string, string> {
  const scripts = [...tree.paths()].filter(mayBeScript)
  const ofTests = scripts.filter((path) => nameSays(path).kind !== 'plain')
  const helpers = ofTests.length === 0 ? [] : ofTests.flatMap((path) => sourcedIn(path, tree))
  const found = new Map<string, string>()
  if (helpers.length === 0) return found
  const isOfTests = new Set(ofTests)
  const byProduct = new Set(
    scripts
      .filter((path) => productFolder.test(path) && !isOfTests.has(path))
      .flatMap((path) => sourcedIn(path, tree)),
  )
  const readers = new Set(helpers.filter((path) => isOfTests.has(path)))
  for (const reader of readers)
    for (const path of sourcedIn(reader, tree)) {
      if (isOfTests.has(path) || productFolder.test(path) || byProduct.has(path)) continue
      if (definesFunction.test(tree.text(path) ?? '')) continue
      if (!found.has(path)) found.set(path, reader)
      readers.add(path)
    }
  return found
}

function mayBeScript(path: string): boolean {
  const language = languageOf(path)
  return language === 'shell' || (language === undefined && !/\.\w+$/u.test(path))
}

/** From the work folder, and from the folder of the script. */
function sourcedIn(path: string, tree: ReadableTree): readonly string[] {
  const text = tree.text(path)
  const isShell = languageOf(path) === 'shell' || /^#![^\n]*sh\b/u.test(text ?? '')
  if (text === null || !isShell || text.length > maxReadLength || !/(?:^|\s)(?:\.|source)\s/u.test(text))
    return []
  const folders = [...new Set(['', folderOf(path)])]
  return startedFiles(text).sourced.flatMap((written) =>
    /^[/~]/u.test(written) ? [] : folders.flatMap((folder) => resolvePath(folder, written) ?? []),
  )
}
