/** What an installer did to many packages, as one line. */
import { basename } from 'node:path'
import type { TamperFinding } from '../../../analysis/tamper/index.ts'
import type { Marks } from '../snapshots.ts'
import { compareMarks, type MarkChange, changeWords, treeFolderOf } from './marks.ts'

/** Programs that a check calls by their bare names: one in `node_modules/.bin` comes before them. */
const calledByName =
  /^(sh|bash|dash|env|node|npm|npx|yarn|pnpm|bun|corepack|git|make|cmake|python3?|pip3?|pytest|tox|uv|go|cargo|mvn|gradle|java|ruby|rake|rspec|php|phpunit|dotnet|true|test|grep|cat|diff|vitest|jest|mocha|ava|tap|c8|nyc|eslint|tsc|prettier|playwright)$/

/** Files beside packages that Python, or a runner of it, loads without being asked. */
const loadedUnasked =
  /(?:\.pth|\/(?:site|user)customize\.py|\/conftest\.py|\/entry_points\.txt|\/pyvenv\.cfg)$/

/** Of a virtual environment: run at every start of its interpreter. The tool that makes the environment lays one itself. */
const startUpFile = /\/site-packages\/(?:(?!_virtualenv\.pth$)[^/]+\.pth|(?:site|user)customize\.py)$/

interface Installers {
  /** Whether the package at this path, or the one behind this program, came with the lock file. */
  readonly isUpdate: (path: string) => boolean
  /** Whether an installer has noted that this file belongs to a package. */
  readonly isNoted: (path: string) => boolean
  /** Whether a folder of the work tree moved there, so that a link to it may follow. */
  readonly hasMoved: (from: string, to: string) => boolean
}

/**
 * What is installed and is another one now although its version is the same, what came and is loaded unasked, and what takes the
 * place of something. An update is noted, no more. A new environment is the business of whoever made it, but for what no
 * installer has laid there.
 */
export function runnerFindings(
  before: Marks,
  now: Marks,
  { isUpdate, isNoted, hasMoved }: Installers,
): readonly TamperFinding[] {
  const places = new Set(Object.keys(before).map(placeOf))
  const moved = new Set(Object.entries(before).map(([name, mark]) => `${packageNameOf(name)} ${mark}`))
  return compareMarks(before, now).flatMap((change) => {
    // The same content of the same package, from another folder: installers move packages about.
    if (moved.has(`${packageNameOf(change.name)} ${now[change.name]}`)) return []
    const [from, to] = [treeFolderOf(before[change.name]), treeFolderOf(now[change.name])]
    if (from !== undefined && to !== undefined && hasMoved(from, to)) return []
    const replaced = replacement(change, before, now)
    if (replaced !== undefined) return [finding('runner.replaced', change, replaced(isUpdate))]
    if (change.kind === 'appeared' && startUpFile.test(change.name) && !isNoted(change.name))
      return [finding('runner.wrapped', change, false)]
    if (change.kind !== 'appeared' || !places.has(placeOf(change.name)) || !isInFront(change.name, before))
      return []
    return [finding('runner.wrapped', change, isUpdate(change.name))]
  })
}

function finding(rule: TamperFinding['rule'], { name, kind }: MarkChange, isNoted: boolean): TamperFinding {
  const path = name.replace(/\/$/, '')
  const why = kind === 'appeared' ? ': it is loaded or called before what was there' : ''
  const message = `${path} ${changeWords[kind]} since the run began${why}`
  return { rule, path, message, ...(isNoted ? { atMost: 'note' } : {}) }
}

/** Undefined: it is no other one. A package that went is missed by whoever needs it; a program may uncover another one. */
function replacement({ name, kind }: MarkChange, before: Marks, now: Marks) {
  if (kind === 'appeared' || (kind === 'gone' && !isProgram(name))) return undefined
  const [was, is] = [readMark(before[name]), readMark(now[name])]
  // Nobody has read it: a new folder is an installation.
  if (is.version === 'unread' && was.version === 'unread' && was.digest !== is.digest) return undefined
  const isSameVersion = was.version === is.version && was.version !== 'none'
  return (isUpdate: (path: string) => boolean) => !isSameVersion && isUpdate(name)
}

/** Version and digest of a package; kind and digest of a file; of what was not read the number of its folder. */
function readMark(mark = ''): { readonly version: string; readonly digest: string } {
  const [version = '', digest = ''] = mark.split(' ')
  return {
    version: /^(?:file|executable|link|folder|other|closed)$/.test(version) ? 'none' : version,
    digest,
  }
}

/** Whether it is found before something that is there, or loaded by itself. */
function isInFront(name: string, before: Marks): boolean {
  if (isProgram(name)) return calledByName.test(basename(name))
  return loadedUnasked.test(name) || outerPlaces(name).some((place) => Object.hasOwn(before, place))
}

function packageNameOf(name: string): string {
  return /^.*\bnode_modules\/((?:@[^/]+\/)?[^/]+)\/?$/.exec(name)?.[1] ?? name
}

/** Where the same package would be looked for in the folders above. */
function outerPlaces(name: string): readonly string[] {
  const [, folder, own] = /^(.*)\bnode_modules\/((?:@[^/]+\/)?[^/]+)\/?$/.exec(name) ?? []
  if (folder === undefined || own === undefined) return []
  const parts = folder.split('/').filter((part) => part !== '')
  return parts.map((_, index) => [...parts.slice(0, index), 'node_modules', own].join('/'))
}

function isProgram(name: string): boolean {
  return /(^|\/)(node_modules\/\.bin|\.?venv\/bin)\/[^/]+$/.test(name)
}

/** What is installed together: a folder of programs, a virtual environment, all packages of the project. */
function placeOf(name: string): string {
  return /^.*(?:node_modules\/\.bin|\.?venv\/bin|site-packages)(?=\/)/.exec(name)?.[0] ?? 'packages'
}

const maxNames = 3

/** What an installer did to many packages is one line for each language; all other findings as they are. */
export function foldUpdates(findings: readonly TamperFinding[]): readonly TamperFinding[] {
  const updates = findings.filter(({ atMost }) => atMost === 'note')
  const folded = [...Map.groupBy(updates, ({ path }) => /(?:^|\/)node_modules\//u.test(path)).values()]
  return [...findings.filter(({ atMost }) => atMost !== 'note'), ...folded.map(foldedFinding)]
}

function foldedFinding(updates: readonly TamperFinding[]): TamperFinding {
  const packages = updates.filter(({ path }) => !isProgram(path))
  const counted = packages.length === 0 ? updates : packages
  const names = [...new Set(counted.map(({ path }) => nameOf(path)))].sort()
  const shown = [...names.slice(0, maxNames), ...(names.length > maxNames ? ['…'] : [])].join(', ')
  const what = packages.length === 0 ? 'program' : 'package'
  const message = `${names.length} installed ${what}${names.length === 1 ? '' : 's'} changed: ${shown}`
  return { rule: 'runner.replaced', path: folderOfPackages(counted[0]?.path ?? ''), message, atMost: 'note' }
}

/** The folder in which packages of all names lie. */
function folderOfPackages(path: string): string {
  return /^.*?(?:node_modules|site-packages|\.?venv)(?=\/)/u.exec(path)?.[0] ?? path
}

function nameOf(path: string): string {
  return /^.*(?:node_modules|site-packages)\/((?:@[^/]+\/)?[^./][^/]*)/u.exec(path)?.[1] ?? basename(path)
}
