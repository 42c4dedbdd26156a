import { readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { TamperFinding } from '../../../analysis/tamper/index.ts'
import type { Marks } from '../snapshots.ts'
import { compareMarks, readMark, changeWords, type MarkChange } from './marks.ts'
import type { Buffer } from 'node:buffer'
import { hash } from 'node:crypto'
import { isFolder } from '../tree/tree-entry.ts'
import { findRepository, runGit, type Place } from '../tree/run-git.ts'

/** Files of a person's home that change how programs of a check behave. */
const homeFiles =
  '.npmrc .yarnrc .yarnrc.yml .gitconfig .config/git/config .config/git/attributes .config/git/ignore ' +
  '.bashrc .bash_profile .bash_env .profile .zshenv .zshrc ' +
  '.pythonrc .pydistutils.cfg .config/pip/pip.conf .pip/pip.conf .pytest.ini ' +
  '.mocharc.json .eslintrc .eslintrc.json .eslintrc.js ' +
  '.cargo/config .cargo/config.toml .config/go/env .m2/settings.xml .gradle/gradle.properties .gradle/init.gradle'

/** What tools look for in the folders above the one in which they run. */
const lookedUp = [
  /^package\.json$/,
  /^\.npmrc$/,
  /^(vitest|vite|jest|babel|eslint|ava|playwright|tsconfig)(\.[\w-]+)*\.(js|cjs|mjs|ts|cts|mts|json)$/,
  /^\.(mocharc|eslintrc|babelrc|taprc|nycrc|c8rc|swcrc)(\.\w+)?$/,
  /^(conftest\.py|pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|\.coveragerc|sitecustomize\.py)$/,
  /^(go\.work|go\.mod|Cargo\.toml|\.cargo|pom\.xml|settings\.gradle(\.kts)?|Makefile|rust-toolchain(\.toml)?)$/,
]

/** Every watched file that is there now, by its absolute path. @param home undefined: no home is watched */
export function lookOutside(workFolder: string, home: string | undefined): Marks {
  const inHome =
    home === undefined
      ? []
      : [...homeFiles.split(' ').map((name) => join(home, name)), ...customizationsIn(home)]
  const above = foldersAbove(workFolder).flatMap((folder) =>
    namesIn(folder)
      .filter((name) => lookedUp.some((pattern) => pattern.test(name)))
      .map((name) => join(folder, name)),
  )
  const marks = [...inHome, ...above].map((path) => [path, readMark(path, true)] as const)
  return Object.fromEntries(marks.filter((mark): mark is [string, string] => mark[1] !== undefined))
}

/** Files of a person's own packages that Python runs whenever it starts. */
function customizationsIn(home: string): readonly string[] {
  const libraries = join(home, '.local', 'lib')
  return namesIn(libraries)
    .filter((name) => name.startsWith('python'))
    .map((name) => join(libraries, name, 'site-packages'))
    .flatMap((folder) =>
      namesIn(folder)
        .filter((name) => /^(?:user|site)customize\.py$|\.pth$/u.test(name))
        .map((name) => join(folder, name)),
    )
}

/** What appeared, changed or went. */
export function outsideFindings(before: Marks, now: Marks): readonly TamperFinding[] {
  return compareMarks(before, now).map(({ name, kind }) => ({
    rule: 'outside.touched',
    path: name,
    message: `${name} ${kind === 'appeared' ? kind : changeWords[kind]} during the run; it lies outside of the work folder and changes how checks run`,
  }))
}

function foldersAbove(folder: string): readonly string[] {
  const parent = dirname(folder)
  return parent === folder ? [] : [parent, ...foldersAbove(parent)]
}

/** A folder that may not be listed is one where the tools find nothing by listing; those that guess names are few. */
function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Settings that run a program, or change what git shows of the tree. */
const powerful =
  /^(core\.(hookspath|fsmonitor|worktree|bare|sshcommand|editor|pager|attributesfile|excludesfile|sparsecheckout)|alias\..*|filter\..*|diff\..*\.(textconv|command)|diff\.external|merge\..*\.driver|include\..*|includeif\..*|credential\..*|uploadpack\..*)$/i

/**
 * Hooks, powerful settings and private ignore rules of the repository around the folder, and the hooks that husky
 * generates. Empty where there is no repository.
 * @throws the system's error where the hooks cannot be listed
 */
export async function lookAtGit(workFolder: string, signal: AbortSignal): Promise<Marks> {
  const place = findRepository(workFolder)
  if (place === undefined) return {}
  const marks: Record<string, string> = {}
  const dotGit = await commonFolder(place.root, signal)
  addFolder(marks, join(dotGit, 'hooks'), '.git/hooks')
  addFolder(marks, join(place.root, '.husky/_'), '.husky/_')
  for (const name of ['info/exclude', 'info/attributes', 'info/sparse-checkout', 'info/grafts'])
    if (!saysNothing(join(dotGit, name))) add(marks, `.git/${name}`, readMark(join(dotGit, name)))
  for (const name of ['config', 'config.worktree'])
    Object.assign(marks, await settingsIn(join(dotGit, name), place, signal))
  return marks
}

/** Of a work tree beside its repository (`git worktree`), the repository's. */
async function commonFolder(root: string, signal: AbortSignal): Promise<string> {
  const dotGit = join(root, '.git')
  if (isFolder(dotGit)) return realpathSync(dotGit)
  const answer = await runGit({ folder: root, root }, ['rev-parse', '--git-common-dir'], signal)
  return answer.exitCode === 0 ? resolve(root, answer.stdout.toString().trim()) : dotGit
}

/** The file is read as it is: what it includes is a setting of its own. */
async function settingsIn(file: string, place: Place, signal: AbortSignal): Promise<Marks> {
  const mark = readMark(file)
  if (mark === undefined) return {}
  const listed = await listSettings(file, place, signal)
  // Without git there is no hook that it could run; a broken file is compared as a whole.
  return listed === undefined ? { 'the settings of git': mark } : powerfulOf(listed)
}

/** What git said of such a content: it says the same whenever it is asked. Of one run, seldom more than one. */
const saidOf = new Map<string, string>()
const maxKept = 16

/** Git is given what was read, so that nobody can lay another file under its answer. Undefined: it does not answer. */
async function listSettings(file: string, place: Place, signal: AbortSignal): Promise<string | undefined> {
  const content = contentOf(file)
  if (content === undefined) return undefined
  const digest = hash('sha256', content)
  const known = saidOf.get(digest)
  if (known !== undefined) return known
  const words = ['config', '--file', '-', '--list', '-z', '--no-includes']
  const { exitCode, stdout } = await runGit(place, words, signal, { stdin: content })
  if (exitCode !== 0) return undefined
  const said = stdout.toString('latin1')
  if (saidOf.size >= maxKept) saidOf.clear()
  saidOf.set(digest, said)
  return said
}

/** Of a plain file, as git follows links to it: anything else could keep us waiting. */
function contentOf(file: string): Buffer | undefined {
  try {
    return statSync(file).isFile() ? readFileSync(file) : undefined
  } catch {
    return undefined
  }
}

function powerfulOf(listed: string): Marks {
  const settings: Record<string, string> = {}
  for (const item of listed.split('\0').filter(Boolean)) {
    const lineEnd = item.indexOf('\n')
    const name = (lineEnd === -1 ? item : item.slice(0, lineEnd)).toLowerCase()
    if (!powerful.test(name) || usual.includes(item)) continue
    const key = `git config ${name}`
    settings[key] = `${settings[key] ?? ''}${item.slice(name.length + 1)}\n`
  }
  return settings
}

/** Remarks alone, as git writes them into a new repository. */
function saysNothing(file: string): boolean {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .every((line) => /^\s*(#|$)/.test(line))
  } catch {
    return false
  }
}

/** What git writes into the settings of every new repository. */
const usual: readonly string[] = ['core.bare\nfalse']

function addFolder(marks: Record<string, string>, folder: string, shown: string): void {
  if (!isFolder(folder)) return
  marks[shown] = 'folder'
  for (const name of readdirSync(folder).filter((file) => !file.endsWith('.sample')))
    add(marks, `${shown}/${name}`, readMark(join(folder, name)))
}

function add(marks: Record<string, string>, name: string, mark: string | undefined): void {
  if (mark !== undefined) marks[name] = mark
}

/** What an honest `npm install` does where husky is used: it sets its own folder, and fills it. */
function isHusky({ name, kind }: MarkChange, before: Marks, now: Marks): boolean {
  if (name.startsWith('.husky/_')) return kind === 'appeared' && before['.husky/_'] === undefined
  return (
    name === 'git config core.hookspath' && kind === 'appeared' && /^\.husky(\/_)?\n$/.test(now[name] ?? '')
  )
}

/** An empty folder, or the ignore rules that git writes itself, say nothing. */
const harmless = ['.git/hooks', '.husky/_']

export function gitFindings(before: Marks, now: Marks): readonly TamperFinding[] {
  return compareMarks(before, now)
    .filter((change) => !harmless.includes(change.name) && !isHusky(change, before, now))
    .map(({ name, kind }) => ({
      rule: 'git.hooks-changed',
      path: name,
      message: `${name} ${changeWords[kind]} during the run`,
    }))
}
