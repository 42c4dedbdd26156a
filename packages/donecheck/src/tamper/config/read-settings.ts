/** Settings out of the text of a configuration file. */
import { readJavaScriptSettings } from './javascript-settings.ts'
import { readSections } from './sections.ts'
import type { SettingValue, Settings } from './settings.ts'

/** Undefined: it cannot be read. */
export function readSettings(path: string, text: string): Settings | undefined {
  if (/\.[cm]?[jt]s$/u.test(path)) return readJavaScriptSettings(text)
  if (/^\s*(?:[#;].*\s+)*\[[\w:. -]+\]\s*$/mu.test(text) && !/\.(?:json[c5]?|ya?ml)$/u.test(path))
    return readSections(text)
  const isRc = /(?:^|\/)\.[\w-]+rc$|\.(?:json[c5]?)$/u.test(path)
  if (isRc && /^\s*(?:[[{]|\/[/*])/u.test(text)) return readJsonSettings(text)
  if (/\.ya?ml$/u.test(path) || isRc) return readYamlSettings(text)
  return readSections(text)
}

/** Comments and trailing commas are let pass: JSON is read as the JavaScript that it nearly is. */
export function readJsonSettings(text: string): Settings | undefined {
  return readJavaScriptSettings(`export default (${text.trim() === '' ? '{}' : text}\n)`)
}

/** Flat: keys by indentation, lists as lists. Anchors and the like stay text. */
export function readYamlSettings(text: string): Settings {
  const settings = new Map<string, SettingValue>()
  const open: { readonly indent: number; readonly key: string }[] = []
  for (const raw of text.split(/\r?\n/u)) {
    const row = raw.replace(/(?:^|\s)#.*$/u, '').trimEnd()
    if (row.trim() === '') continue
    const indent = row.length - row.trimStart().length
    const isItem = /^\s*-\s/u.test(row)
    while ((open.at(-1)?.indent ?? -1) >= indent + (isItem ? 1 : 0)) open.pop()
    const around = open.map(({ key }) => key)
    const pair = /^\s*(?:-\s+)?["']?([\w@./-]+)["']?\s*:(?:\s+(.*))?$/u.exec(row)
    if (pair?.[1] === undefined) append(settings, around.join('.'), plain(row.replace(/^\s*-\s*/u, '')))
    else {
      open.push({ indent, key: pair[1] })
      const value = pair[2] ?? ''
      if (value !== '') settings.set([...around, pair[1]].join('.'), scalar(value))
    }
  }
  return settings
}

function append(settings: Map<string, SettingValue>, key: string, entry: string): void {
  const known = settings.get(key)
  settings.set(key, [...(typeof known === 'object' && known !== null ? known : []), entry])
}

function plain(text: string): string {
  return text.trim().replace(/^(["'])(.*)\1$/u, '$2')
}

function scalar(text: string): SettingValue {
  const list = /^\[(.*)\]$/u.exec(text.trim())
  if (list?.[1] !== undefined)
    return list[1]
      .split(',')
      .map(plain)
      .filter((entry) => entry !== '')
  const word = plain(text)
  if (/^(?:true|false)$/u.test(word)) return word === 'true'
  return /^-?\d+(?:\.\d+)?$/u.test(word) ? Number(word) : word
}
