/** Reads files lazily, because reading costs. Paths are relative to the work folder, with `/`. */
export interface ReadableTree {
  has(path: string): boolean
  paths(): Iterable<string>
  /** @returns null if absent, binary or too long */
  text(path: string): string | null
}

export interface SidesRequest {
  readonly baseline: ReadableTree
  readonly delivered: ReadableTree
  readonly changed: readonly string[]
  readonly checkLines: readonly string[]
  readonly protect: readonly string[]
  /** Absent until the checks have run. */
  readonly evidence?: RunEvidence
}

export interface RunEvidence {
  /** Test files listed in the runners' own reports. */
  readonly testFiles: readonly string[]
}

/** `both`: the file has parts of each side; `independentText` merges it. */
type Side = 'product' | 'check' | 'both'

const check = {
  'named-by-user': 'A glob of the user protects it.',
  test: 'Its name makes it a test for a runner, and no product file imports it.',
  'test-helper': 'Only tests reach it, and it lies in a folder of tests or asserts by itself.',
  'reported-test': 'The report of a runner names it as a file of tests.',
  'test-data': 'Only tests and scripts of the checks read it.',
  'read-by-both': 'Tests read it, and so does the product.',
  'given-to-check': 'A line of a check hands it to what it starts: as arguments, as settings or as input.',
  snapshot: 'It holds expected outputs of tests.',
  configuration: 'It configures a runner, an interpreter, a compiler, a linter, a package manager or CI.',
  'loaded-unasked': 'A runner or an interpreter loads it although nothing names it.',
  'check-script': 'A check runs it, or a script that a check runs reads it in.',
  'installed-dependency':
    'It is installed, and no lock file records the change, or it is an assertion library.',
  'takes-a-name':
    'It is new and takes the name of a module that tests import, while the one that they meant is still there.',
  'matched-by-check':
    'A script of a check finds it by a pattern or by its folder, or reads it and it is gone.',
  'cannot-be-split': 'It has parts of both sides that cannot be told apart.',
  'check-part': 'Only those parts of it changed that decide how the question is asked.',
} as const

const both = {
  'both-parts': 'Parts of both sides changed.',
  'silences-a-checker': 'It is a source, and tells a checker to look away where nothing did before.',
} as const

const product = {
  'product-part': 'Only those parts of it changed that belong to the product.',
  'used-by-product': 'It looks like a part of the tests, but the product reaches it.',
  'own-program': 'A check runs it because it is a program of the product.',
  dependencies: 'It records which versions of dependencies are installed, or is one of them.',
  documentation: 'It is for people, or for version control alone.',
  source: 'It is what the checks ask about.',
} as const

export type SideReason = keyof typeof check | keyof typeof both | keyof typeof product

/** One sentence per reason, printed by `donecheck show --changes`. */
export const sideReasons: Readonly<Record<SideReason, string>> = { ...check, ...both, ...product }

function sideOf(reason: SideReason): Side {
  if (reason in both) return 'both'
  return reason in product ? 'product' : 'check'
}

/** Experiment: red with the earlier file and green with this text means that it is a check file. */
export interface Trial {
  /** `judges`: replaces the file itself. `shadows`: replaces another one, with the file as delivered. */
  readonly kind: 'judges' | 'shadows'
  readonly path: string
  readonly text: string
  readonly because: string
}

export interface Placement {
  readonly path: string
  readonly side: Side
  readonly reason: SideReason
  /** Previous path of a new file's content. */
  readonly movedFrom?: string
  /** Absent if there is no doubt. Only for product files. */
  readonly trial?: Trial
  readonly because: string
}

/** @param because default: the reason's sentence for this file */
export function placementOf(path: string, reason: SideReason, because?: string): Placement {
  return { path, side: sideOf(reason), reason, because: because ?? `${path}: ${sideReasons[reason]}` }
}

export function describeFiles(paths: Iterable<string>): string {
  const [first = 'nothing', ...others] = [...paths].toSorted()
  return others.length === 0 ? first : `${first} and ${others.length} more`
}
