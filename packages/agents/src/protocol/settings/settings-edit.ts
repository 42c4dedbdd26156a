/** Hooks in the settings of an agent, as text: everything of others is kept, to the comment and the space. Pure. */
import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type JSONPath,
  type Node,
  type ParseError,
} from 'jsonc-parser'
import { holdsComment, lenient, nodeAt, withoutValue, withValue } from './json-edit.ts'
import { parseHookLine, type HookCommand } from './hook-command.ts'
import type { HookSettings } from './hook-settings.ts'
import { payloadOf, type Payload } from '../hooks/index.ts'
import { given } from '@donecheck/engine/base'

/** A hook that is to stand in the settings. */
export interface WantedHook {
  /** The agent's own name. */
  readonly event: string
  readonly matcher?: string
  readonly entry: Payload
}

/** One that stands there. */
export interface SettingsHook {
  readonly event: string
  readonly matcher?: string
  readonly entry: Payload
  /** Undefined: it is somebody else's. */
  readonly ours?: HookCommand
  /** In the file. */
  readonly path: JSONPath
}

type SettingsText =
  | { readonly kind: 'read'; readonly settings: Payload; readonly hooks: readonly SettingsHook[] }
  /** Nothing of it may be changed. */
  | { readonly kind: 'unreadable'; readonly problem: string }

/** @param text undefined or empty: there is no file yet */
export function readSettings(text: string | undefined, dialect: HookSettings): SettingsText {
  const parsed = parse(text)
  if (typeof parsed === 'string') return { kind: 'unreadable', problem: parsed }
  if (parsed === undefined) return { kind: 'read', settings: {}, hooks: [] }
  const problem = shapeProblem(parsed)
  if (problem !== undefined) return { kind: 'unreadable', problem }
  return { kind: 'read', settings: payloadOf(getNodeValue(parsed)) ?? {}, hooks: hooksIn(parsed, dialect) }
}

/**
 * With exactly the wanted hooks of ours, and all of others. Text that has them already comes back as it is.
 * @throws {TypeError} for text that `readSettings` cannot read: it must be asked first
 */
export function withHooks(
  text: string | undefined,
  wanted: readonly WantedHook[],
  dialect: HookSettings,
): string {
  const hooks = readHooks(text, dialect)
  if (text !== undefined && hasExactly(hooks, wanted, dialect)) return text
  const bare = withoutHooks(text ?? '', dialect)
  let changed = bare.trim() === '' ? `${JSON.stringify({ ...dialect.preamble, hooks: {} }, null, 2)}\n` : bare
  for (const hook of wanted) changed = addHook(changed, hook, dialect)
  return changed
}

/** Without any hook of ours, and without what is empty by that. @throws {TypeError} as `withHooks` */
export function withoutHooks(text: string, dialect: HookSettings): string {
  let changed = text
  for (;;) {
    const ours = readHooks(changed, dialect).findLast((hook) => isOf(hook, dialect))
    if (ours === undefined) return changed
    changed = removeAt(changed, ours.path)
  }
}

function isOf({ ours }: SettingsHook, { agent }: HookSettings): boolean {
  return ours?.agent === agent
}

function readHooks(text: string | undefined, dialect: HookSettings): readonly SettingsHook[] {
  const read = readSettings(text, dialect)
  if (read.kind === 'unreadable') throw new TypeError(read.problem)
  return read.hooks
}

function hasExactly(
  hooks: readonly SettingsHook[],
  wanted: readonly WantedHook[],
  dialect: HookSettings,
): boolean {
  const identityOf = (hook: WantedHook) =>
    JSON.stringify([hook.event, hook.matcher ?? null, sortKeys(hook.entry)])
  const [here, there] = [hooks.filter((hook) => isOf(hook, dialect)).map(identityOf), wanted.map(identityOf)]
  return here.length === there.length && here.toSorted().join('\n') === there.toSorted().join('\n')
}

function sortKeys(entry: Payload): Payload {
  return Object.fromEntries(Object.entries(entry).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

// --- reading -------------------------------------------------------------------------------------

/** Comments are kept, and a comma too many is let pass, as most agents do. */
function parse(text: string | undefined): Node | string | undefined {
  if (text === undefined || text.trim() === '' || text.trim() === '\uFEFF') return undefined
  const errors: ParseError[] = []
  const root = parseTree(text.replace(/^\uFEFF/, ' '), errors, lenient)
  const [first] = errors
  if (first !== undefined) return `${placeOf(text, first.offset)}: ${printParseErrorCode(first.error)}`
  return root ?? 'it holds no value'
}

function placeOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n')
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}

function shapeProblem(root: Node): string | undefined {
  if (root.type !== 'object') return 'it holds no object'
  const twice = findDuplicateKey(root) ?? findDuplicateKey(findNodeAtLocation(root, ['hooks']))
  if (twice !== undefined) return `"${twice}" stands in it twice`
  const hooks = findNodeAtLocation(root, ['hooks'])
  if (hooks === undefined) return undefined
  if (hooks.type !== 'object') return '"hooks" is no object'
  for (const property of hooks.children ?? []) {
    const [name, value] = property.children ?? []
    if (value?.type === 'array' || !isEvent(name)) continue
    return `"hooks.${String(name?.value)}" is no list`
  }
  return undefined
}

/** Older settings of some agents hold switches among the events. */
function isEvent(name: Node | undefined): boolean {
  return !['enabled', 'disabled', 'notifications'].includes(String(name?.value))
}

/** Of a name that stands twice only one counts, and nobody can say which one another reader takes. */
function findDuplicateKey(object: Node | undefined): string | undefined {
  const names = (object?.type === 'object' ? (object.children ?? []) : []).map(({ children }) =>
    String(children?.[0]?.value),
  )
  return names.find((name, index) => names.indexOf(name) !== index)
}

function hooksIn(root: Node, dialect: HookSettings): readonly SettingsHook[] {
  const hooks = payloadOf(getNodeValue(root))?.['hooks']
  return Object.entries(payloadOf(hooks) ?? {}).flatMap(([event, list]) =>
    Array.isArray(list)
      ? list.flatMap((item: unknown, index) => entriesIn(event, item, ['hooks', event, index], dialect))
      : [],
  )
}

function entriesIn(
  event: string,
  item: unknown,
  path: JSONPath,
  dialect: HookSettings,
): readonly SettingsHook[] {
  const fields = payloadOf(item)
  if (fields === undefined) return []
  const matcher = typeof fields['matcher'] === 'string' ? { matcher: fields['matcher'] } : {}
  if (dialect.shape === 'flat') {
    const entry = Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'matcher'))
    return [{ event, ...matcher, ...describeEntry(entry, dialect), path }]
  }
  const inner: unknown = fields['hooks']
  if (!Array.isArray(inner)) return []
  return inner.flatMap((entry: unknown, index) => {
    const known = payloadOf(entry)
    return known === undefined
      ? []
      : [{ event, ...matcher, ...describeEntry(known, dialect), path: [...path, 'hooks', index] }]
  })
}

function describeEntry(entry: Payload, dialect: HookSettings): Pick<SettingsHook, 'entry' | 'ours'> {
  const line = dialect.commandIn(entry)
  return { entry, ...given({ ours: line === undefined ? undefined : parseHookLine(line) }) }
}

// --- changing ------------------------------------------------------------------------------------

function addHook(text: string, { event, matcher, entry }: WantedHook, dialect: HookSettings): string {
  const withMatcher = given({ matcher })
  const item = dialect.shape === 'flat' ? { ...entry, ...withMatcher } : { ...withMatcher, hooks: [entry] }
  return onBare(
    text,
    (bare) =>
      withValue(bare, ['hooks', event], null, item) ??
      withValue(bare, ['hooks'], event, [item]) ??
      withValue(bare, [], 'hooks', { [event]: [item] }) ??
      bare,
  )
}

/** What holds nothing else, and no comment, goes with it: its group, the list of its event, and all of `hooks`. */
function removeAt(text: string, path: JSONPath): string {
  return onBare(text, (bare) => withoutValue(bare, emptiedBy(bare, path)))
}

function emptiedBy(text: string, path: JSONPath): JSONPath {
  const wider = path.length > 3 ? [path.slice(0, 3)] : []
  let target = path
  for (const next of [...wider, path.slice(0, 2), path.slice(0, 1)]) {
    if ((nodeAt(text, target.slice(0, -1))?.children?.length ?? 0) > 1 || holdsComment(text, next))
      return target
    target = next
  }
  return target
}

/** A mark of the byte order stays where it is. */
function onBare(text: string, change: (bare: string) => string): string {
  return text.startsWith('\uFEFF') ? `\uFEFF${change(text.slice(1))}` : change(text)
}
