/** Files are read lazily, because reading costs. Paths are relative to the work folder, with `/`. */
export interface ReadableTree {
  has(path: string): boolean
  paths(): Iterable<string>
  /** Null: absent, binary or too long. */
  text(path: string): string | null
}

export interface SidesRequest {
  readonly baseline: ReadableTree
  readonly delivered: ReadableTree
  readonly changed: readonly string[]
  readonly checkLines: readonly string[]
  readonly protect: readonly string[]
  /** Absent: the checks have not run yet. */
  readonly evidence?: RunEvidence
}

export interface RunEvidence {
  /** Files that the runners' own reports name as those of tests. */
  readonly testFiles: readonly string[]
}

/** `both`: one file has parts of each side; `independentText` puts it together. */
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

/** One sentence for each reason, printed by `donecheck show --changes`. */
export const sideReasons: Readonly<Record<SideReason, string>> = { ...check, ...both, ...product }

function sideOf(reason: SideReason): Side {
  if (reason in both) return 'both'
  return reason in product ? 'product' : 'check'
}

/**
 * An experiment for what text cannot tell: if the checks are red with the earlier file and green with this text in
 * its place, the file is check side.
 */
export interface Trial {
  /** `judges`: laid in place of the file itself. `shadows`: laid in place of another one, while the file is as delivered. */
  readonly kind: 'judges' | 'shadows'
  readonly path: string
  readonly text: string
  readonly because: string
}

export interface Placement {
  readonly path: string
  readonly side: Side
  readonly reason: SideReason
  /** Where the content of a new file was before. Absent: nowhere. */
  readonly movedFrom?: string
  /** Absent: there is no doubt. Only of the product side. */
  readonly trial?: Trial
  readonly because: string
}

/** @param because default: the sentence of the reason, for this file */
export function placementOf(path: string, reason: SideReason, because?: string): Placement {
  return { path, side: sideOf(reason), reason, because: because ?? `${path}: ${sideReasons[reason]}` }
}

export function describeFiles(paths: Iterable<string>): string {
  const [first = 'nothing', ...others] = [...paths].toSorted()
  return others.length === 0 ? first : `${first} and ${others.length} more`
}
