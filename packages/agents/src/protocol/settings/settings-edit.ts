import {
  createScanner,
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type JSONPath,
  type Node,
  type ParseError,
  visit,
} from 'jsonc-parser'
import type { HookSettings } from './hook-settings.ts'
import { payloadOf, type Payload, quoteWord, fieldOf, listIn, textIn } from '../host/index.ts'
import { canonicalJson } from '@donecheck/core/internal/base'
import { given } from '@donecheck/engine/internal/base'

export interface WantedHook {
  readonly event: string
  readonly matcher?: string
  readonly entry: Payload
}

export interface SettingsHook {
  readonly event: string
  readonly matcher?: string
  readonly entry: Payload
  readonly ours?: HookCommand
  readonly path: JSONPath
}

type SettingsText =
  | { readonly kind: 'read'; readonly settings: Payload; readonly hooks: readonly SettingsHook[] }
  | { readonly kind: 'unreadable'; readonly problem: string }

/** @param text undefined or empty if there is no file yet */
export function readSettings(text: string | undefined, dialect: HookSettings): SettingsText {
  const parsed = parse(text)
  if (typeof parsed === 'string') return { kind: 'unreadable', problem: parsed }
  if (parsed === undefined) return { kind: 'read', settings: {}, hooks: [] }
  const problem = shapeProblem(parsed)
  if (problem !== undefined) return { kind: 'unreadable', problem }
  return { kind: 'read', settings: payloadOf(getNodeValue(parsed)) ?? {}, hooks: hooksIn(parsed, dialect) }
}

/** Replaces our hooks and keeps all others. @throws {TypeError} for text that `readSettings` cannot read */
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

/** Removes our hooks and containers that become empty. @throws {TypeError} as `withHooks` */
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
  const identitiesOf = (all: readonly WantedHook[]) =>
    all.map(({ event, matcher, entry }) => canonicalJson([event, matcher ?? null, entry])).toSorted()
  const here = identitiesOf(hooks.filter((hook) => isOf(hook, dialect)))
  return here.join('\n') === identitiesOf(wanted).join('\n')
}

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

function isEvent(name: Node | undefined): boolean {
  return !['enabled', 'disabled', 'notifications'].includes(String(name?.value))
}

function findDuplicateKey(object: Node | undefined): string | undefined {
  const names = (object?.type === 'object' ? (object.children ?? []) : []).map(({ children }) =>
    String(children?.[0]?.value),
  )
  return names.find((name, index) => names.indexOf(name) !== index)
}

function hooksIn(root: Node, dialect: HookSettings): readonly SettingsHook[] {
  const hooks = fieldOf(getNodeValue(root), 'hooks')
  return Object.keys(payloadOf(hooks) ?? {}).flatMap((event) =>
    listIn(hooks, event).flatMap((item, index) => {
      const matcher = textIn(item, 'matcher')
      return entriesIn(item, ['hooks', event, index], dialect).map(({ entry, path }) => {
        const line = dialect.commandIn(entry)
        const ours = line === undefined ? undefined : parseHookLine(line)
        return { event, entry, path, ...given({ matcher, ours }) }
      })
    }),
  )
}

function entriesIn(
  item: unknown,
  path: JSONPath,
  { shape }: HookSettings,
): readonly Pick<SettingsHook, 'entry' | 'path'>[] {
  const fields = payloadOf(item)
  if (fields === undefined) return []
  if (shape === 'flat') {
    const entry = Object.fromEntries(Object.entries(fields).filter(([name]) => name !== 'matcher'))
    return [{ entry, path }]
  }
  return listIn(fields, 'hooks').flatMap((each, index) => {
    const entry = payloadOf(each)
    return entry === undefined ? [] : [{ entry, path: [...path, 'hooks', index] }]
  })
}

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

/** Also removes parents that contain nothing else and no comment: group, event list, `hooks`. */
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

function onBare(text: string, change: (bare: string) => string): string {
  return text.startsWith('\uFEFF') ? `\uFEFF${change(text.slice(1))}` : change(text)
}

/** @param name of the property; null in a list @returns undefined without such an object or list */
function withValue(
  text: string,
  container: JSONPath,
  name: string | null,
  value: unknown,
): string | undefined {
  const node = nodeAt(text, container)
  if (node?.children === undefined) return undefined
  const close = node.offset + node.length - 1
  const bodyEnd = close - (/\s*$/.exec(text.slice(node.offset + 1, close))?.[0].length ?? 0)
  const style = styleOf(text)
  const outer = indentAt(text, node.offset)
  const json = JSON.stringify(value, null, style.unit).replaceAll('\n', `${style.eol}${outer}${style.unit}`)
  const item = name === null ? json : `${JSON.stringify(name)}: ${json}`
  const isClosedOnItsOwnLine = text.slice(bodyEnd, close).includes('\n')
  const tail = isClosedOnItsOwnLine ? text.slice(bodyEnd) : `${style.eol}${outer}${text.slice(close)}`
  const body = withComma(text, node.children.at(-1), bodyEnd)
  return `${body}${style.eol}${outer}${style.unit}${item}${tail}`
}

function withComma(text: string, last: Node | undefined, bodyEnd: number): string {
  if (last === undefined) return text.slice(0, bodyEnd)
  const end = last.offset + last.length
  if (commaAfter(text, end) !== undefined) return text.slice(0, bodyEnd)
  return `${text.slice(0, end)},${text.slice(end, bodyEnd)}`
}

function styleOf(text: string): { readonly unit: string; readonly eol: string } {
  const indented = /^([ \t]+)\S/m.exec(text)?.[1] ?? '  '
  return { unit: indented.startsWith('\t') ? '\t' : indented, eol: text.includes('\r\n') ? '\r\n' : '\n' }
}

function indentAt(text: string, offset: number): string {
  const lineStart = text.lastIndexOf('\n', offset) + 1
  return /^[ \t]*/.exec(text.slice(lineStart))?.[0] ?? ''
}

function withoutValue(text: string, path: JSONPath): string {
  const value = nodeAt(text, path)
  const item = typeof path.at(-1) === 'string' ? value?.parent : value
  const siblings = item?.parent?.children
  if (item === undefined || siblings === undefined) return text
  const end = item.offset + item.length
  const before = siblings[siblings.indexOf(item) - 1]
  const comma =
    commaAfter(text, end) ??
    (before === undefined ? undefined : commaAfter(text, before.offset + before.length))
  if (comma === undefined) return withoutRange(text, item.offset, end)
  // Removes the later one first, so that the other offset stays valid.
  return comma < item.offset
    ? withoutRange(withoutRange(text, item.offset, end), comma, comma + 1)
    : withoutRange(withoutRange(text, comma, comma + 1), item.offset, end)
}

function holdsComment(text: string, path: JSONPath): boolean {
  const value = nodeAt(text, path)
  if (value === undefined) return false
  const { offset, length } = value
  let isHeld = false
  visit(text.slice(offset, offset + length), {
    onComment: () => {
      isHeld = true
    },
  })
  return isHeld
}

function withoutRange(text: string, start: number, end: number): string {
  const lineStart = text.lastIndexOf('\n', start - 1) + 1
  const lineEnd = text.indexOf('\n', end)
  const isAlone =
    lineEnd !== -1 && text.slice(lineStart, start).trim() === '' && text.slice(end, lineEnd).trim() === ''
  return isAlone ? text.slice(0, lineStart) + text.slice(lineEnd + 1) : text.slice(0, start) + text.slice(end)
}

function nodeAt(text: string, path: JSONPath): Node | undefined {
  const root = parseTree(text, [], lenient)
  return root && findNodeAtLocation(root, path)
}

const lenient = { allowTrailingComma: true }

function commaAfter(text: string, offset: number): number | undefined {
  const scanner = createScanner(text, true)
  scanner.setPosition(offset)
  scanner.scan()
  const next = scanner.getTokenOffset()
  return text.charAt(next) === ',' ? next : undefined
}

export interface HookCommand {
  /** An absolute path to Node, because the agent can change PATH. */
  readonly node: string
  readonly program: string
  readonly agent: string
  readonly word: string
  readonly timeoutSeconds?: number
}

/** Reports a missing program to the user, because some agents treat exit code 127 as an endless block. */
export function hookLine(command: HookCommand, goneAnswer: string): string {
  const { agent, word, timeoutSeconds } = command
  const [node, program] = [quoteWord(command.node), quoteWord(command.program)]
  const limit = timeoutSeconds === undefined ? [] : ['--timeout', String(timeoutSeconds)]
  const words = [node, program, 'hook', agent, word, ...limit].join(' ')
  return `[ -x ${node} ] && [ -f ${program} ] && exec ${words}; echo ${quoteWord(goneAnswer)}`
}

const linePattern =
  /(?:^|&& exec )('(?:[^']|'\\'')+'|[^\s'";]+) ('(?:[^']|'\\'')+'|[^\s'";]+) hook (\S+) ([A-Za-z]+)(?: --timeout (\d+))?(?=; echo |$)/

/** @returns undefined for a line that is not of donecheck */
export function parseHookLine(line: string): HookCommand | undefined {
  const [, node, program, agent, word, timeout] = linePattern.exec(line) ?? []
  if (node === undefined || program === undefined || agent === undefined || word === undefined)
    return undefined
  const path = stripQuotes(program)
  if (!/(?:^|\/)donecheck(?:\.js)?$/.test(path)) return undefined
  return {
    ...{ node: stripQuotes(node), program: path, agent, word },
    ...(timeout === undefined ? {} : { timeoutSeconds: Number(timeout) }),
  }
}

function stripQuotes(word: string): string {
  return word.startsWith("'") ? word.slice(1, -1).replaceAll(`'\\''`, "'") : word
}
