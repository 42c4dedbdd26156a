/** Conditions of a skill are read from sections such as `Verification` or `Completion conditions`. */
import { UsageError } from '@donecheck/engine/internal/base'
import { parseDocument } from 'yaml'
import { readMarkdown } from '../../markdown.ts'
import { conditionsOf, type Condition, conditionPieces } from './condition.ts'

export interface SkillFile {
  readonly name: string | undefined
  readonly description: string | undefined
  readonly keys: readonly string[] | undefined
  readonly body: string
  readonly conditions: readonly Condition[]
}

const maxCharacters = 262_144

/** @throws {UsageError} with the line if the front matter is invalid, or the file is too long */
export function readSkill(text: string, file: string): SkillFile {
  if (text.length > maxCharacters)
    throw new UsageError(`${file} has ${text.length} characters; a skill has at most ${maxCharacters}`)
  const lines = text.replace(/^\u{FEFF}/u, '').split(/\r?\n/)
  const { keys, name, description, body } = readFrontMatter(lines, file)
  return {
    name: name === '' ? undefined : name,
    description: description === '' ? undefined : description,
    keys,
    body: body.join('\n').trim(),
    conditions: conditionsOf(conditionPieces(readMarkdown(blankUnread(lines, body), file).blocks)),
  }
}

/** Blanks the front matter and comments, so that line numbers stay valid. */
function blankUnread(lines: readonly string[], body: readonly string[]): string {
  const text = [...lines.slice(body.length).map(() => ''), ...body].join('\n')
  return text.replaceAll(/<!--[^]*?(?:-->|$)/g, (comment) => comment.replaceAll(/[^\n]/g, ''))
}

interface Entry {
  readonly key: string
  readonly line: number
  /** After the colon, and then the lines below. */
  readonly lines: readonly string[]
}

export function readFrontMatter(lines: readonly string[], file: string) {
  if (lines[0]?.trimEnd() !== '---')
    return { keys: undefined, name: undefined, description: undefined, body: lines }
  const end = lines.findIndex((line, index) => index > 0 && /^(?:---|\.\.\.)\s*$/.test(line))
  if (end === -1) throw new UsageError(`${file}:1: the front matter has no end; close it with a line of ---`)
  const entries = entriesOf(lines.slice(1, end), file)
  const textAt = (key: string) => {
    const entry = entries.find((one) => one.key === key)
    return entry === undefined ? undefined : textOf(entry, file)
  }
  return {
    keys: entries.map(({ key }) => key),
    name: textAt('name'),
    description: textAt('description'),
    body: lines.slice(end + 1),
  }
}

function entriesOf(lines: readonly string[], file: string): readonly Entry[] {
  const entries: Entry[] = []
  for (const [index, line] of lines.entries()) {
    const number = index + 2
    const { key, first = '' } = /^(?<key>[A-Za-z_][\w.-]*)\s*:(?:\s+(?<first>.*))?$/.exec(line)?.groups ?? {}
    const last = entries.at(-1)
    if (key !== undefined) {
      if (entries.some((one) => one.key === key))
        throw new UsageError(`${file}:${number}: "${key}" is there twice`)
      entries.push({ key, line: number, lines: [first.trim()] })
    } else if (/^(?:\s|#|$)/.test(line) || (last !== undefined && /^(?:-\s|[}\]])/.test(line))) {
      if (last !== undefined) entries.splice(-1, 1, { ...last, lines: [...last.lines, line] })
    } else throw new UsageError(`${file}:${number}: "${line.trim()}" is no line of the form "key: value"`)
  }
  return entries
}

/** Plain text may hold a colon, which YAML would take for a key. */
function textOf({ key, line, lines }: Entry, file: string): string {
  const joined = lines.flatMap((one) => one.trim() || []).join(' ')
  if (!/^["'&*!{[%@`|>]/.test(joined)) {
    const comment = joined.search(/(?:^|\s)#/)
    return (comment === -1 ? joined : joined.slice(0, comment)).trim()
  }
  const document = parseDocument(`${key}: ${lines.join('\n')}`, { schema: 'failsafe' })
  const value = document.errors.length === 0 ? document.get(key) : undefined
  if (typeof value === 'string') return value.trim()
  throw new UsageError(`${file}:${line}: ${key} must be a text, in quotes where it begins with such a sign`)
}
