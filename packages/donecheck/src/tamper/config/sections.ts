/** INI and TOML, as far as runners are configured in them: sections, keys, lists over several lines. */
import type { SettingValue, Settings } from './settings.ts'

export interface Section {
  /** Without brackets; empty before the first header. */
  readonly name: string
  /** With its header and all that follows it, as it stands. */
  readonly text: string
}

/** In order; joined again they are the file. */
export function sectionsOf(text: string): readonly Section[] {
  const rows = text.split(/(?<=\n)/u)
  const found: { name: string; text: string }[] = [{ name: '', text: '' }]
  for (const row of rows) {
    const name = /^\s*\[{1,2}\s*([^\]]+?)\s*\]{1,2}\s*(?:[#;].*)?\r?\n?$/u.exec(row)?.[1]
    const isHeader =
      name !== undefined &&
      /^[\w.:\s"'\-*/]+$/u.test(name) &&
      !/^\s*"/u.test(row) &&
      !row.trimEnd().endsWith(',')
    if (isHeader) found.push({ name: name.replaceAll(/["']/gu, ''), text: row })
    else {
      const last = found.at(-1)
      if (last !== undefined) last.text += row
    }
  }
  return found
}

/** Keys are `section.key`. */
export function readSections(text: string): Settings {
  const settings = new Map<string, SettingValue>()
  for (const section of sectionsOf(text)) {
    const header =
      section.name === ''
        ? section.text
        : section.text.slice(section.text.indexOf('\n') + 1 || section.text.length)
    for (const [key, value] of pairsOf(header))
      settings.set([section.name, key].filter((part) => part !== '').join('.'), value)
  }
  return settings
}

function pairsOf(text: string): readonly (readonly [string, SettingValue])[] {
  const found: { key: string; rows: string[] }[] = []
  for (const raw of text.split(/\r?\n/u)) {
    const row = raw.replace(/^\s*[#;].*$|\s+#.*$/u, '')
    const pair = /^["']?([\w.-]+)["']?\s*[=:]\s*(.*)$/u.exec(row)
    const last = found.at(-1)
    const isOpen =
      last !== undefined && last.rows.join('').startsWith('[') && !last.rows.join('\n').trim().endsWith(']')
    if (pair?.[1] !== undefined && !isOpen) found.push({ key: pair[1], rows: [pair[2] ?? ''] })
    else if (row.trim() !== '') last?.rows.push(row.trim())
  }
  return found.map(({ key, rows }) => [key, valueOf(rows)])
}

function valueOf(rows: readonly string[]): SettingValue {
  const text = rows.join('\n').trim()
  if (text.startsWith('['))
    return [...text.matchAll(/"([^"]*)"|'([^']*)'/gu)].map((match) => match[1] ?? match[2] ?? '')
  const word = text.replace(/^(["'])(.*)\1$/su, '$2')
  if (/^(?:true|false)$/iu.test(word)) return /^true$/iu.test(word)
  if (/^-?\d+(?:\.\d+)?$/u.test(word)) return Number(word)
  const parts = word
    .split('\n')
    .map((part) => part.trim())
    .filter((part) => part !== '')
  return parts.length > 1 ? parts : word.trim()
}
