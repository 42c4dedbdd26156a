import { fieldsOf } from '../paths.ts'
import { mergeOwnChecks } from './own-checks.ts'
import { mergeSections } from './sections.ts'

type Merge = (before: string, after: string) => string | undefined

const splitByName: readonly (readonly [RegExp, Merge])[] = [
  [/(?:^|\/)package\.json$/u, (before, after) => mergeJson(before, after, 'package.json')],
  [/(?:^|\/)composer\.json$/u, (before, after) => mergeJson(before, after, 'composer.json')],
  [/(?:^|\/)pyproject\.toml$/u, (before, after) => mergeSections(before, after, 'pyproject.toml')],
  [/(?:^|\/)setup\.cfg$/u, (before, after) => mergeSections(before, after, 'setup.cfg')],
  [/(?:^|\/)Cargo\.toml$/u, (before, after) => mergeSections(before, after, 'Cargo.toml')],
  [/(?:^|\/)go\.mod$/u, (before, after) => mergeLines(before, after, 'go.mod')],
  [/(?:^|\/)requirements[\w.-]*\.txt$/u, (before, after) => mergeLines(before, after, 'requirements.txt')],
]

export function isSplitByName(path: string): boolean {
  return splitByName.some(([pattern]) => pattern.test(path))
}

/** Merges delivered product parts with earlier check parts. @returns undefined if inseparable */
export function independentText(
  path: string,
  before: string | null,
  after: string | null,
): string | undefined {
  const merge = mergeOf(path)
  if (merge === undefined || after === null) return undefined
  if (before === after) return after
  const text = merge(before ?? '', after)
  // A merged text that does not merge to itself again was not understood.
  return text !== undefined && merge(before ?? '', text) === text ? text : undefined
}

function mergeOf(path: string): Merge | undefined {
  if (!canSuppress(path)) return splitByName.find(([pattern]) => pattern.test(path))?.[1]
  return (before, after) => {
    const text = mergeOwnChecks(path, before, after)
    return text === undefined ? undefined : withoutNewSuppressions(path, before, text)
  }
}

type LineManifest = 'go.mod' | 'requirements.txt'

/** Go: a replaced module. pip: options, URLs and folders. */
const checkLine: Readonly<Record<LineManifest, RegExp>> = {
  'go.mod': /^(?:replace|exclude|godebug|toolchain|tool|ignore)\b/u,
  'requirements.txt': /^(?:-|[.~]{0,2}\/|[\w+]+:|[^#]*@)/u,
}

function mergeLines(before: string, after: string, manifest: LineManifest): string {
  const isCheck = (part: string): boolean =>
    checkLine[manifest].test(part.trimStart()) && !(manifest === 'go.mod' && isOwnNewModule(part, before))
  const [earlier, now] = [partsIn(before), partsIn(after)]
  const checks = earlier.filter(isCheck)
  const shape = (parts: readonly string[]) => parts.map((part) => part.trim()).join('\n')
  if (shape(checks) === shape(now.filter(isCheck))) return after
  const product = now.filter((part) => !isCheck(part)).join('')
  const between = product === '' || product.endsWith('\n') || checks.length === 0 ? '' : '\n'
  return product + between + checks.join('')
}

const ownModule = /^replace[ \t]+([\w-]+\.[\w.-]*(?:\/[\w.~-]+)+)[ \t]+=>[ \t]+\.\/(?!.*\.\.)[\w./-]+[ \t]*$/u

/** A new module of the tree. From Go 1.17 on, manifests also list indirect modules. */
function isOwnNewModule(part: string, before: string): boolean {
  const module = ownModule.exec(part.trim())?.[1]
  const version = /^go[ \t]+1\.(\d+)/mu.exec(before)?.[1]
  if (module === undefined || version === undefined || Number(version) < 17) return false
  const known = before.match(/[\w-]{1,100}\.[\w.-]{0,200}(?:\/[\w.~-]+)+|^module[ \t]+\S+/gmu) ?? []
  return known
    .map((name) => name.replace(/^module[ \t]+"?|"$/gu, ''))
    .every((name) => name !== module && !name.startsWith(`${module}/`) && !module.startsWith(`${name}/`))
}

function partsIn(text: string): readonly string[] {
  const parts: string[] = []
  let isInBlock = false
  for (const line of text.match(/[^\n]*\n|[^\n]+$/gu) ?? []) {
    parts.push(isInBlock ? `${parts.pop() ?? ''}${line}` : line)
    if (/^\w+\s*\(\s*(?:\/\/.*)?$/u.test(line.trimEnd())) isInBlock = true
    else if (/^\s*\)/u.test(line)) isInBlock = false
  }
  return parts
}

type JsonManifest = 'package.json' | 'composer.json'

/** Excludes the name: a package named like a library is found before it. */
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
/** A package from a URL or under an alias can be anything. */
const address =
  /^(?:file|link|portal|patch|npm|git|github|gitlab|bitbucket|https?)(?:\+\w+)?:|^[.~]{0,2}\/|^[\w.-]+\/[\w.-]+/u

/** Values of `package.json` that configure runners and other tools. */
export function toolSettings(text: string | null): readonly unknown[] {
  const others = [...productKeys['package.json'], ...dependencyKeys['package.json'], 'name', 'scripts']
  return Object.entries(objectIn(text ?? '') ?? {}).flatMap(([key, value]) =>
    others.includes(key) ? [] : [value],
  )
}

/** @returns undefined if one is not an object. A layout is kept only if entirely old or new */
function mergeJson(before: string, after: string, manifest: JsonManifest): string | undefined {
  const [earlier, now] = [objectIn(before === '' ? '{}' : before), objectIn(after)]
  if (earlier === undefined || now === undefined) return undefined
  const text = JSON.stringify(mergeFields(earlier, now, manifest), null, 2)
  if (text === JSON.stringify(now, null, 2)) return after
  return text === JSON.stringify(earlier, null, 2) ? before : `${text}\n`
}

/** New key order, followed by the restored earlier keys. */
function mergeFields(earlier: Fields, now: Fields, manifest: JsonManifest): Fields {
  const keys = [...new Set([...Object.keys(now), ...Object.keys(earlier)])]
  const merged = keys.map((key): readonly [string, unknown] => {
    if (productKeys[manifest].includes(key)) return [key, now[key]]
    if (!dependencyKeys[manifest].includes(key)) return [key, earlier[key]]
    return [key, mergeDependencies(earlier[key], now[key])]
  })
  return Object.fromEntries(merged.filter(([, value]) => value !== undefined))
}

function mergeDependencies(earlier: unknown, now: unknown): unknown {
  const [then, is] = [Object.fromEntries(fieldsOf(earlier)), Object.fromEntries(fieldsOf(now))]
  const names = [...new Set([...Object.keys(is), ...Object.keys(then)])]
  const merged = names.flatMap((name): readonly (readonly [string, unknown])[] => {
    const chosen = isAddress(then[name]) || isAddress(is[name]) ? then[name] : is[name]
    return chosen === undefined ? [] : [[name, chosen]]
  })
  return merged.length === 0 && now === undefined ? undefined : Object.fromEntries(merged)
}

function isAddress(value: unknown): boolean {
  return value !== undefined && (typeof value !== 'string' || address.test(value))
}

type Fields = Readonly<Record<string, unknown>>

function objectIn(text: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/u, ''))
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : undefined
  } catch {
    return undefined
  }
}

const slashComment =
  /\/[/*][^\S\n]*(?:eslint-disable|@ts-(?:ignore|expect-error|nocheck)|biome-ignore|oxlint-disable|deno-lint-ignore|(?:istanbul|c8|v8)[^\S\n]+ignore|node:coverage[^\S\n]+(?:disable|ignore)|nolint|lint:(?:file-)?ignore|#nosec)\b|\/\*\s*(?:eslint|globals?|exported)\b/u
const hashComment =
  /#[^\S\n]*(?:type:[^\S\n]*ignore|noqa|(?:ruff|flake8):[^\S\n]*noqa|pylint:[^\S\n]*(?:disable|skip-file)|pyright:[^\S\n]*(?:ignore|basic)|mypy:|pragma:[^\S\n]*no[^\S\n]+(?:cover|branch)|nosec|pyre-(?:ignore|fixme)|pytype:[^\S\n]*(?:disable|skip-file))/u
const attribute = /#!?\[(?:allow|expect)\([^\]\n]*\)\]/u
/** Rest of the comment or line. */
const rest = String.raw`(?:(?<=\/\*[^\n]*)[^\n]*?(?:\*\/|$)|[^\n]*)`

function commentOf({ source }: RegExp): RegExp {
  return new RegExp(`(?:${source})${rest}`, 'gmu')
}

const suppressions: readonly (readonly [RegExp, RegExp])[] = [
  [/\.(?:[cm]?[jt]sx?|vue|svelte|go)$/u, commentOf(slashComment)],
  [/\.pyi?$/u, commentOf(hashComment)],
  [/\.rs$/u, new RegExp(attribute.source, 'gu')],
]

/** Casts that make any TypeScript value fit. */
const anyCast = / as (?:any|never|unknown as [\w.<>[\]]+)\b/gu

export function canSuppress(path: string): boolean {
  return suppressions.some(([name]) => name.test(path))
}

/** Removes new suppressions, keeping line numbers. A cast to `any` counts if its line is else unchanged. */
function withoutNewSuppressions(path: string, before: string, after: string): string {
  const pattern = suppressions.find(([name]) => name.test(path))?.[1]
  if (pattern === undefined) return after
  const known = new Map<string, number>()
  for (const [text] of before.matchAll(pattern)) known.set(wordsOf(text), (known.get(wordsOf(text)) ?? 0) + 1)
  const text = after.replaceAll(pattern, (found) => {
    const left = known.get(wordsOf(found)) ?? 0
    known.set(wordsOf(found), left - 1)
    return left > 0 ? found : ''
  })
  return /\.[cm]?tsx?$/u.test(path) ? withoutNewCasts(before, text) : text
}

function withoutNewCasts(before: string, after: string): string {
  const earlier = new Set(before.split('\n'))
  const uncast = (line: string): string => {
    const plain = line.replaceAll(anyCast, '')
    return plain !== line && !earlier.has(line) && earlier.has(plain) ? plain : line
  }
  return after.split('\n').map(uncast).join('\n')
}

function wordsOf(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim()
}
