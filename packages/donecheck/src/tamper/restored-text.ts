import type { FileChange } from './change.ts'
import { checkScripts, runnerKeys } from './config/package-json.ts'
import { readJsonSettings } from './config/read-settings.ts'
import { sectionsOf } from './config/sections.ts'
import type { TamperFinding } from './finding.ts'
import { kindOf, type ProtectOptions } from '../protect/index.ts'
import { withoutSilencing } from './silenced.ts'

const nothing: ProtectOptions = { protect: [], mayChange: [], checkCommands: [] }

/**
 * The text to lay into a clean copy for a change that is not accepted: the new file with only its protected parts put
 * back. Null: the whole earlier file, or none where there was none.
 * @param findings those of this path that are not accepted
 */
export function restoredText(
  change: FileChange,
  options: ProtectOptions = nothing,
  findings: readonly TamperFinding[] = [],
): string | null {
  const { path, before, after } = change
  // Of code that is no check only the silenced complaints are woken up: the work itself stays.
  const isSilenced = findings.length > 0 && findings.every(({ rule }) => rule === 'suppression.added')
  if (isSilenced && kindOf(path, options) === undefined && after?.kind === 'file' && after.text !== null)
    return withoutSilencing(after.text, new Set(findings.flatMap(({ line = 0 }) => line)))
  if (before?.kind !== 'file' || after?.kind !== 'file') return null
  if (before.text === null || after.text === null) return null
  if (/(?:^|\/)package\.json$/u.test(path)) return restoredPackage(before.text, after.text, options)
  if (/(?:^|\/)(?:pyproject\.toml|setup\.cfg|tox\.ini)$/u.test(path))
    return restoredSections(before.text, after.text)
  return path.endsWith('.rs') ? restoredModule(before.text, after.text) : null
}

type Json = Readonly<Record<string, unknown>>

function restoredPackage(before: string, after: string, options: ProtectOptions): string | null {
  const then = objectOf(before)
  const now = objectOf(after)
  const settings = readJsonSettings(before)
  if (then === undefined || now === undefined || settings === undefined) return null
  const names = checkScripts(settings, readJsonSettings(after) ?? new Map(), options)
  const put: Json = { ...withPart(now, then, 'scripts', names), ...pick(then, runnerKeys) }
  const gone = runnerKeys.filter((key) => !(key in then))
  const kept = Object.fromEntries(Object.entries(put).filter(([key]) => !gone.includes(key)))
  const whole = ['dependencies', 'devDependencies'].reduce<Json>(
    (so, key) => withRunners(so, then, key),
    kept,
  )
  return `${JSON.stringify(whole, null, 2)}\n`
}

function objectOf(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function pick(from: Json, keys: readonly string[]): Json {
  return Object.fromEntries(keys.flatMap((key) => (key in from ? [[key, from[key]]] : [])))
}

/** The new object under `key`, with the earlier values of these names. */
function withPart(now: Json, then: Json, key: string, names: ReadonlySet<string>): Json {
  const ours = isObject(then[key]) ? then[key] : {}
  const theirs = isObject(now[key]) ? now[key] : {}
  const others = Object.fromEntries(Object.entries(theirs).filter(([name]) => !names.has(name)))
  return { ...now, [key]: { ...others, ...pick(ours, [...names]) } }
}

/** A dependency that comes from a folder or an address is put back; a new version is not. */
function withRunners(now: Json, then: Json, key: string): Json {
  const ours = isObject(then[key]) ? then[key] : {}
  const theirs = now[key]
  if (!isObject(theirs)) return key in then ? { ...now, [key]: ours } : now
  const isLocal = (value: unknown) =>
    typeof value === 'string' && /^(?:file:|link:|portal:|npm:|git|https?:|\.{0,2}\/)/u.test(value)
  const put = Object.entries(theirs).flatMap(([name, value]): readonly (readonly [string, unknown])[] => {
    if (!isLocal(value) || ours[name] === value) return [[name, value]]
    return name in ours ? [[name, ours[name]]] : []
  })
  return { ...now, [key]: Object.fromEntries(put) }
}

const protectedSection =
  /^(?:tool\.(?:pytest|coverage|mypy|ruff|pylint|pyright|tox|flake8)\b|tool:pytest|pytest|coverage:|coverage|mypy|flake8|pylint|testenv|tox)/u

function restoredSections(before: string, after: string): string {
  const ours = sectionsOf(before).filter(({ name }) => protectedSection.test(name))
  const theirs = sectionsOf(after)
  const put = theirs.flatMap(({ name, text }) => {
    if (!protectedSection.test(name)) return [text]
    const earlier = ours.find((section) => section.name === name)
    return earlier === undefined ? [] : [ended(earlier.text)]
  })
  const missing = ours.filter(({ name }) => !theirs.some((section) => section.name === name))
  return [...put, ...missing.map(({ text }) => ended(text))].reduce(
    (all, text) => (all === '' || all.endsWith('\n') ? all + text : `${all}\n${text}`),
    '',
  )
}

function ended(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`
}

/** Tests of Rust stand at the end of the source that they test: only their module is put back. */
function restoredModule(before: string, after: string): string | null {
  const start = /^[ \t]*#\[cfg\(test\)\]\s*\n?\s*mod\s+\w+\s*\{/mu
  const then = start.exec(before)
  if (then === null || /\n\}[\s\S]*\n(?:pub|fn|impl|struct)\b/u.test(before.slice(then.index))) return null
  const now = start.exec(after)
  const source = now === null ? after : after.slice(0, now.index)
  return `${source.trimEnd()}\n\n${before.slice(then.index)}`
}
