/** Conditions of a skill are read from sections such as `Verification` or `Completion conditions`. */
import { UsageError } from '@donecheck/engine/internal/base'
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
  const { keys, name, description, body, bodyLine } = readFrontMatter(lines, file)
  return {
    name: name === '' ? undefined : name,
    description: description === '' ? undefined : description,
    keys,
    body: body.join('\n').trim(),
    conditions: conditionsOf(conditionPieces(withoutComments(body), bodyLine)),
  }
}

/** Removes HTML comments; keeps line numbers. */
function withoutComments(lines: readonly string[]): readonly string[] {
  let isOpen = false
  return lines.map((line) => {
    let rest = line
    let seen = ''
    while (rest !== '') {
      const sign = isOpen ? '-->' : '<!--'
      const at = rest.indexOf(sign)
      if (!isOpen) seen += at === -1 ? rest : rest.slice(0, at)
      if (at === -1) break
      rest = rest.slice(at + sign.length)
      isOpen = !isOpen
    }
    return seen
  })
}

interface Entry {
  readonly key: string
  readonly line: number
  readonly first: string
  readonly more: readonly string[]
}

export function readFrontMatter(lines: readonly string[], file: string) {
  if (lines[0]?.trimEnd() !== '---')
    return { keys: undefined, name: undefined, description: undefined, body: lines, bodyLine: 1 }
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
    bodyLine: end + 2,
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
      entries.push({ key, line: number, first: first.trim(), more: [] })
    } else if (/^(?:\s|#|$)/.test(line) || (last !== undefined && /^(?:-\s|[}\]])/.test(line))) {
      if (last !== undefined) entries.push({ ...last, more: [...(entries.pop()?.more ?? []), line] })
    } else throw new UsageError(`${file}:${number}: "${line.trim()}" is no line of the form "key: value"`)
  }
  return entries
}

function textOf({ key, line, first, more }: Entry, file: string): string {
  const block = /^(?<style>[|>])[+-]?\d?(?:\s+#.*)?$/.exec(first)?.groups?.['style']
  if (block !== undefined) return blockText(more, block === '>')
  const joined = [first, ...more.map((one) => one.trim())].filter((one) => one !== '').join(' ')
  const double = /^"(?<text>(?:[^"\\]|\\.)*)"(?:\s+#.*)?$/.exec(joined)?.groups?.['text']
  if (double !== undefined) return unescaped(double)
  const single = /^'(?<text>(?:[^']|'')*)'(?:\s+#.*)?$/.exec(joined)?.groups?.['text']
  if (single !== undefined) return single.replaceAll("''", "'").trim()
  if (/^["'&*!{[%@`|>]/.test(joined))
    throw new UsageError(`${file}:${line}: ${key} must be a text, in quotes where it begins with such a sign`)
  const comment = joined.search(/(?:^|\s)#/)
  return (comment === -1 ? joined : joined.slice(0, comment)).trim()
}

function blockText(lines: readonly string[], isFolded: boolean): string {
  const texts = lines.map((line) => line.trim())
  return (isFolded ? texts.map((text) => (text === '' ? '\n' : text)).join(' ') : texts.join('\n')).trim()
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0' }

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/gu, (_all, sign: string) => escapes[sign] ?? sign).trim()
}
