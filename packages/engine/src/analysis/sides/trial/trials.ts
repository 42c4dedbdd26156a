/** Experiments that tell on which side a file is, where no text can: a source that the checks may ask with, or about. */
import { nodeOf } from '../nodes.ts'
import { nameSays } from '../place/by-name.ts'
import { folderOf, foldersAround, join, modulePathOf, nameOf, resolvePath } from '../path-index.ts'
import { canBeSilenced, definedIn, silence } from './silenced.ts'
import type { ReadableTree, Trial } from '../placement.ts'
import type { Project } from '../project.ts'
import { languageOf, referencesOf } from '../references.ts'

/**
 * Whether an earlier source is called by a check for nothing but its complaint. If the checks are red with the file as it was,
 * and green when its functions complain of nothing, then it judges, wherever it lies and whoever imports it.
 */
export function judgeTrial(path: string, project: Project): Trial | undefined {
  const { baseline } = project.request
  const text = baseline.text(path)
  if (text === null || !canBeSilenced(path)) return undefined
  const names = complainingFunctions(path, text)
  if (names.length === 0) return undefined
  const caller = callerFor(path, names, project)
  const silent = caller === undefined ? undefined : silence(path, text)
  if (caller === undefined || silent === undefined) return undefined
  const because = `${path} has a function that ${caller} calls for nothing but its complaint.`
  return { kind: 'judges', path, text: silent, because }
}

/** A check that names the file and calls one of these functions, which no check ever calls for its value. */
function callerFor(path: string, names: readonly string[], project: Project): string | undefined {
  const { baseline } = project.request
  const isShell = languageOf(path) === 'shell'
  const checks = checksOf(project).filter((file) => file !== path && mentions(file, path, baseline))
  for (const name of names) {
    const uses = checks.map((file) => ({ file, use: useOf(name, baseline.text(file) ?? '', isShell) }))
    if (uses.some(({ use }) => use === 'for-its-value')) continue
    const caller = uses.find(
      ({ use, file }) => use === 'for-its-complaint' && asksAboutOthers(file, path, project),
    )
    if (caller !== undefined) return caller.file
  }
  return undefined
}

const complaint =
  /\b(?:throw|raise|assert\w*|expect|reject|fail\w*|exit|exitCode|abort|panic)\b|\breturn\s[^\n]*(?:===?|<=|>=|\bin\b)/u

/** Names of the functions at the top of a source whose own lines complain. One of a shell may do so in ways that nobody can list. */
function complainingFunctions(path: string, text: string): readonly string[] {
  const defined = definedIn(path, text)
  return defined.flatMap(({ name, start }, index) => {
    const body = text.slice(start, defined[index + 1]?.start)
    return name.length > 1 && (languageOf(path) === 'shell' || complaint.test(body)) ? [name] : []
  })
}

/** A file that reaches nothing else of the tree asks about this one. */
function asksAboutOthers(file: string, path: string, project: Project): boolean {
  const index = project.index()
  const around = foldersAround(folderOf(file)).map((folder) => join(folder, 'conftest.py'))
  const files = [file, ...around.filter((other) => index.tree.has(other))]
  return files
    .flatMap((one) => [...nodeOf(one, index).targets, ...nodeOf(one, index).namesakes])
    .some(
      (target) => target !== path && nameSays(target).kind === 'plain' && !target.endsWith('/__init__.py'),
    )
}

function mentions(file: string, path: string, baseline: ReadableTree): boolean {
  const text = baseline.text(file)
  if (text === null) return false
  const folder = folderOf(path)
  const packages = folder !== '' && baseline.has(`${folder}/package.json`) ? [nameOf(folder)] : []
  const names = [nameOf(modulePathOf(path)), ...packages, ...linksTo(path, file, baseline)]
  return names.some((name) => text.includes(name))
}

/** The names by which links in the folder of a test lead to a file. */
function linksTo(path: string, file: string, baseline: ReadableTree): readonly string[] {
  const folder = folderOf(file)
  return [...baseline.paths()].flatMap((link) => {
    if (folderOf(link) !== folder || languageOf(link) !== languageOf(path)) return []
    const target = baseline.text(link)
    return target !== null && target.length < 200 && resolvePath(folder, target) === path
      ? [nameOf(modulePathOf(link))]
      : []
  })
}

type Use = 'for-its-complaint' | 'for-its-value' | 'not-at-all'

/** How a text calls a function: as a statement with two values, or with what another call returned, or else. */
function useOf(name: string, text: string, isShell: boolean): Use {
  if (!text.includes(name)) return 'not-at-all'
  const word = name.replaceAll('$', String.raw`\$`)
  if (isShell) {
    const call = new RegExp(
      String.raw`(?:^|[;&|{]|\b(?:then|do|else|if|while|!))[ \t]*${word}(?=[ \t;]|$)`,
      'mu',
    )
    return call.test(text) ? 'for-its-complaint' : 'not-at-all'
  }
  const uses =
    text.match(new RegExp(String.raw`(?<![\w$]|\b(?:def|function)\s{1,9})${word}\s{0,9}\(`, 'gu')) ?? []
  const start = String.raw`(?:[\w$]{1,40}\.)?(?<![\w$])${word}\s{0,9}\(`
  const alone = String.raw`(?:^|[;{}]|(?<!throws\(\s*\(\)\s{0,9})=>)[ \t]*(?:await[ \t]+)?${start}(?=[^;\n]{0,200}?(?:\w\(|,))`
  const isTrue = String.raw`\b(?:assert\w*|ok|true|truthy)(?:\.\w{1,20})?(?:[ \t]+(?:not[ \t]+)?|\()${start}(?=[^=<>\n]{0,200}?\w\([^=<>\n]*$)`
  const complaints = text.match(new RegExp(`${alone}|${isTrue}`, 'gmu')) ?? []
  if (uses.length === 0) return 'not-at-all'
  return complaints.length === uses.length ? 'for-its-complaint' : 'for-its-value'
}

/** Code that asks: by name, by what runs have shown, or because a check line starts it. */
function checksOf(project: Project): readonly string[] {
  const { baseline } = project.request
  const named = [...baseline.paths()].filter(
    (path) => languageOf(path) !== undefined && nameSays(path).kind !== 'plain',
  )
  return [...new Set([...named, ...project.tests, ...project.runs().started.keys()])]
}

/**
 * Whether a new module of Python may be found in the place of one of the checks: by a path that the product adds to those in
 * which Python looks. If the checks stay green when their own module cannot be loaded, it was another one that they loaded.
 */
export function shadowTrial(path: string, project: Project): Trial | undefined {
  if (!path.endsWith('.py')) return undefined
  const { baseline, delivered } = project.request
  const names = new Set([...folderOf(path).split('/'), nameOf(path).replace(/\.py$/u, '')])
  for (const check of checksOf(project)) {
    const twin = languageOf(check) === 'python' && delivered.has(check) ? topLevelName(check) : undefined
    if (twin === undefined || !names.has(twin)) continue
    const reader = checksOf(project).find((file) => file !== check && importsPlainly(file, twin, project))
    if (reader === undefined) continue
    const because = `${path} has the name of ${check}, which ${reader} imports.`
    const text = `raise ImportError("not loaded")\n${baseline.text(check) ?? ''}`
    return { kind: 'shadows', path: check, text, because }
  }
  return undefined
}

function topLevelName(path: string): string {
  const name = nameOf(path).replace(/\.py$/u, '')
  return name === '__init__' ? nameOf(folderOf(path)) : name
}

function importsPlainly(file: string, name: string, { request: { baseline } }: Project): boolean {
  if (languageOf(file) !== 'python') return false
  return referencesOf(file, baseline.text(file) ?? '').some(
    ({ kind, written }) => kind === 'import' && (written === name || written.startsWith(`${name}.`)),
  )
}
