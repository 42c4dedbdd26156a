import { nameSays } from '../by-name.ts'
import { folderOf, foldersAround, join, modulePathOf, nameOf, resolvePath } from '../paths.ts'
import { canBeSilenced, definedIn, silence } from './silenced.ts'
import type { Trial } from '../placement.ts'
import type { Project } from '../project.ts'
import { languageOf } from '../languages.ts'
import { namesIn } from '../names.ts'

/** Whether checks call this source only for its complaint: red with it, green with a silent one. */
export function judgeTrial(path: string, project: Project): Trial | undefined {
  const { baseline } = project.request
  const text = baseline.text(path)
  if (text === null || !canBeSilenced(path)) return undefined
  const names = complainingFunctions(path, text)
  const isDefault = languageOf(path) === 'javascript' && complaint.test(text)
  if (names.length === 0 && !isDefault) return undefined
  const caller = callerFor(path, isDefault ? [...names, null] : names, project)
  const silent = caller === undefined ? undefined : silence(path, text)
  if (caller === undefined || silent === undefined) return undefined
  const because = `${path} has a function that ${caller} calls for nothing but its complaint.`
  return { kind: 'judges', path, text: silent, because }
}

/** Finds a check that calls a function only for its complaint. @param names null: the default export */
function callerFor(path: string, names: readonly (string | null)[], project: Project): string | undefined {
  const { baseline } = project.request
  const isShell = languageOf(path) === 'shell'
  const checks = checksOf(project).filter((file) => file !== path && namesFile(file, path, project))
  for (const name of names) {
    const uses = checks.map((file) => {
      const text = baseline.text(file) ?? ''
      return { file, uses: localNames(name, path, text).map((local) => useOf(local, text, isShell)) }
    })
    if (uses.some((one) => one.uses.includes('for-its-value'))) continue
    const caller = uses.find(
      (one) => one.uses.includes('for-its-complaint') && asksAboutOthers(one.file, path, project),
    )
    if (caller !== undefined) return caller.file
  }
  return undefined
}

function localNames(name: string | null, path: string, text: string): readonly string[] {
  if (name !== null) {
    const renamed = text.matchAll(new RegExp(String.raw`(?<![\w$])${escape(name)}\s+as\s+([\w$]+)`, 'gu'))
    return [name, ...[...renamed].flatMap(([, local = '']) => local)]
  }
  const stem = escape(nameOf(modulePathOf(path)))
  const whole = new RegExp(
    String.raw`\b(?:import|const|let|var)\s+([\w$]+)\s{0,9}(?:=\s{0,9}(?:await\s+import|require)\b|from\b)[^\n]{0,200}${stem}`,
    'gu',
  )
  return [...text.matchAll(whole)].flatMap(([, local = '']) => local)
}

function escape(name: string): string {
  return name.replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`)
}

const complaint =
  /\b(?:throw|raise|assert\w*|expect|reject|fail\w*|exit|exitCode|abort|panic)\b|\breturn\s[^\n]*(?:===?|<=|>=|\bin\b)/u

/** Top-level functions whose own lines complain. A shell function may do so in any way. */
function complainingFunctions(path: string, text: string): readonly string[] {
  const defined = definedIn(path, text)
  return defined.flatMap(({ name, start }, index) => {
    const body = text.slice(start, defined[index + 1]?.start)
    return name.length > 1 && (languageOf(path) === 'shell' || complaint.test(body)) ? [name] : []
  })
}

/** A file that reaches nothing else of the tree tests this one. */
function asksAboutOthers(file: string, path: string, project: Project): boolean {
  const index = project.index()
  const around = foldersAround(folderOf(file)).map((folder) => join(folder, 'conftest.py'))
  const files = [file, ...around.filter((other) => index.tree.has(other))]
  return files
    .flatMap((one) => [...namesIn(one, index).files])
    .some(
      (target) => target !== path && nameSays(target).kind === 'plain' && !target.endsWith('/__init__.py'),
    )
}

/** Directly, by a neighboring link, or through a re-export. */
function namesFile(file: string, path: string, project: Project): boolean {
  const index = project.index()
  const { files } = namesIn(file, index)
  if (files.has(path) || linksBeside(file, path, project).some((link) => files.has(link))) return true
  return [...files].some((between) => namesIn(between, index).imports.has(path))
}

/** Links next to a check that lead to the file. */
function linksBeside(file: string, path: string, project: Project): readonly string[] {
  const folder = folderOf(file)
  return (project.index().byFolder.get(folder) ?? []).filter((link) => {
    const target = languageOf(link) === languageOf(path) ? project.request.baseline.text(link) : null
    return target !== null && target.length < 200 && resolvePath(folder, target) === path
  })
}

type Use = 'for-its-complaint' | 'for-its-value' | 'not-at-all'

/** How a text calls a function: as a statement with two values, with another call's result, or otherwise. */
function useOf(name: string, text: string, isShell: boolean): Use {
  if (!text.includes(name)) return 'not-at-all'
  const word = escape(name)
  if (isShell) {
    const call = new RegExp(
      String.raw`(?:^|[;&|{]|\b(?:then|do|else|if|while|!))[ \t]*${word}(?=[ \t;]|$)`,
      'mu',
    )
    return call.test(text) ? 'for-its-complaint' : 'not-at-all'
  }
  const uses =
    text.match(
      new RegExp(
        String.raw`(?<![\w$]|\b(?:def|function)\s{1,9})${word}(?:\.[\w$]{1,40}){0,2}\s{0,9}\(`,
        'gu',
      ),
    ) ?? []
  const start = String.raw`(?:[\w$]{1,40}\.)?(?<![\w$])${word}(?:\.[\w$]{1,40}){0,2}\s{0,9}\(`
  const alone = String.raw`(?:^|[;{}]|(?<!throws\(\s*\(\)\s{0,9})=>)[ \t]*(?:await[ \t]+|new[ \t]+)?${start}(?=[^;\n]{0,200}?(?:\w\(|,))`
  const isTrue = String.raw`\b(?:assert\w*|ok|true|truthy)(?:\.\w{1,20})?(?:[ \t]+(?:not[ \t]+)?|\()${start}(?=[^=<>\n]{0,200}?\w\([^=<>\n]*$)`
  const complaints = text.match(new RegExp(`${alone}|${isTrue}`, 'gmu')) ?? []
  if (uses.length === 0) return 'not-at-all'
  return complaints.length === uses.length ? 'for-its-complaint' : 'for-its-value'
}

/** Check code: by name, by evidence of runs, by imports, or because a check line starts it. */
function checksOf(project: Project): readonly string[] {
  const { checkFiles } = project.earlier()
  const { started } = project.runs()
  const code = checkFiles.filter((path) => languageOf(path) !== undefined)
  return [...new Set([...code, ...project.tests, ...started.keys()])]
}

/** Whether a Python module may shadow a check's own. Green without the latter: another was loaded. */
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

function importsPlainly(file: string, name: string, project: Project): boolean {
  if (languageOf(file) !== 'python') return false
  return [...namesIn(file, project.index()).modules].some(
    (module) => module === name || module.startsWith(`${name}.`),
  )
}
