/** Manifests in JSON, by key. What is not listed belongs to the checks. */
import { fieldsOf } from '../tree/json-fields.ts'

export type JsonManifest = 'package.json' | 'composer.json'

/** The name is none of them: a package that takes the name of a library is found before it. */
const productKeys: Readonly<Record<JsonManifest, readonly string[]>> = {
  'package.json':
    `version description keywords homepage bugs license author contributors maintainers funding files main module exports bin man
    repository types typings typesVersions type sideEffects private publishConfig engines os cpu peerDependenciesMeta
    bundleDependencies bundledDependencies`.split(/\s+/u),
  'composer.json':
    `version description keywords homepage license authors support funding type autoload autoload-dev minimum-stability
    prefer-stable`.split(/\s+/u),
}
const dependencyKeys: Readonly<Record<JsonManifest, readonly string[]>> = {
  'package.json': ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'],
  'composer.json': ['require', 'require-dev'],
}
/** What is installed from an address or under another name can be anything. */
const address =
  /^(?:file|link|portal|patch|npm|git|github|gitlab|bitbucket|https?)(?:\+\w+)?:|^[.~]{0,2}\/|^[\w.-]+\/[\w.-]+/u

export function mergeJson(before: string, after: string, manifest: JsonManifest): string | undefined {
  const earlier = before === '' ? '{}' : before
  return mergeKeys(earlier, after, (key, was, is) => {
    if (productKeys[manifest].includes(key)) return is
    if (!dependencyKeys[manifest].includes(key)) return was
    return (
      mergeKeys(was ?? '{}', is ?? '{}', (_, former, now) =>
        isAddress(former) || isAddress(now) ? former : now,
      ) ?? was
    )
  })
}

function isAddress(value: string | undefined): boolean {
  return value !== undefined && !/^"[^"\\]*"$/u.test(value) ? true : address.test((value ?? '').slice(1, -1))
}

/** @returns the text of the value in the independent tree; undefined: the key is not there */
type Choose = (key: string, was: string | undefined, is: string | undefined) => string | undefined

/** Undefined: one of them is no object with distinct keys. The formatting is that of `after` where nothing is put back. */
function mergeKeys(before: string, after: string, choose: Choose): string | undefined {
  const [earlier, now] = [objectIn(before), objectIn(after)]
  if (earlier === undefined || now === undefined) return undefined
  let isChanged = false
  const parts: string[] = []
  const put = (entry: Entry, value: string | undefined): void => {
    if (value !== undefined) parts.push(entry.lead + value)
  }
  for (const [key, entry] of now.entries) {
    const chosen = chosenFor(choose(key, earlier.entries.get(key)?.value, entry.value), entry.value)
    isChanged ||= chosen !== entry.value
    put(entry, chosen)
  }
  for (const [key, entry] of earlier.entries) {
    if (now.entries.has(key)) continue
    const chosen = choose(key, entry.value, undefined)
    if (chosen === undefined || chosen === '{}') continue
    isChanged = true
    put(entry, chosen)
  }
  return isChanged ? `${now.head}${parts.join(',')}${now.tail}` : after
}

/** Another layout of the same value is no change. */
function chosenFor(chosen: string | undefined, written: string): string | undefined {
  return chosen !== undefined && JSON.stringify(JSON.parse(chosen)) === JSON.stringify(JSON.parse(written))
    ? written
    : chosen
}

interface Entry {
  /** White space, key and colon. */
  readonly lead: string
  readonly value: string
}

interface JsonObject {
  readonly head: string
  readonly entries: ReadonlyMap<string, Entry>
  readonly tail: string
}

function objectIn(text: string): JsonObject | undefined {
  const opening = /^\uFEFF?\s*\{/u.exec(text)
  if (opening === null || !isJson(text)) return undefined
  const entries = new Map<string, Entry>()
  let start = opening[0].length
  for (;;) {
    const end = endOfEntry(text, start)
    const written = text.slice(start, end)
    const lead = /^\s*("(?:[^"\\]|\\.)*")\s*:\s*/u.exec(written)
    if (lead !== null) {
      const key = String(JSON.parse(lead[1] ?? '""'))
      if (entries.has(key)) return undefined
      entries.set(key, { lead: lead[0], value: written.slice(lead[0].length).trimEnd() })
    }
    if (text[end] !== ',')
      return { head: opening[0], entries, tail: text.slice(start + written.trimEnd().length) }
    start = end + 1
  }
}

/** The comma behind an entry, or the brace behind the last one. */
function endOfEntry(text: string, start: number): number {
  const signs = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],]/gu
  signs.lastIndex = start
  let depth = 0
  for (let found = signs.exec(text); found !== null; found = signs.exec(text)) {
    const [sign] = found
    if (depth === 0 && (sign === ',' || sign === '}')) return found.index
    if (sign === '{' || sign === '[') depth += 1
    else if (sign === '}' || sign === ']') depth -= 1
  }
  return text.length
}

function isJson(text: string): boolean {
  try {
    return fieldsOf(JSON.parse(text.replace(/^\uFEFF/u, ''))).length >= 0
  } catch {
    return false
  }
}
