/** Files that a command writes to by its own arguments: the usual programs, as far as their words say. */
import type { FoundCommand, FoundWord, Span } from '../../shell/index.ts'
import {
  commandWords,
  hasOption,
  subcommand,
  type CommandWords,
  type Operand,
} from '../floor/command-words.ts'

export interface WrittenFile {
  /** Null: only known when it runs. */
  readonly path: string | null
  readonly written: string
  readonly span: Span
  /** The name may be new, and nothing else: not a removal and not a change of what is there. */
  readonly removes: boolean
}

export function filesWrittenBy(found: FoundCommand): readonly WrittenFile[] {
  const command = commandWords(found)
  const { program } = command
  if (program === null) return []
  const find = Object.hasOwn(targets, program) ? targets[program] : undefined
  return find?.(command) ?? []
}

const targets: Readonly<Record<string, (command: CommandWords) => readonly WrittenFile[]>> = {
  tee: ({ operands }) => operands.map(changed),
  sponge: ({ operands }) => operands.map(changed),
  touch: ({ operands }) => operands.map(changed),
  cp: (command) => lastOf(command),
  install: (command) => lastOf(command),
  ln: (command) => lastOf(command),
  rsync: (command) => lastOf(command),
  scp: (command) => lastOf(command),
  curl: (command) => behindOption(command, /^(?:-[a-zA-Z]*o|--output)$/u, /^(?:-o|--output=)(?<path>.+)$/u),
  wget: (command) =>
    behindOption(command, /^(?:-[a-zA-Z]*O|--output-document)$/u, /^(?:-O|--output-document=)(?<path>.+)$/u),
  find: (command) => behindOption(command, /^-(?:fprint0?|fprintf|fls)$/u),
  npm: (command) => (setsScripts(command) ? [manifest] : []),
  mv: (command) => [...lastOf(command), ...command.operands.slice(0, -1).map(removed)],
  rm: ({ operands }) => operands.map(removed),
  unlink: ({ operands }) => operands.map(removed),
  truncate: ({ operands }) => operands.map(changed),
  dd: ({ operands }) => operands.flatMap((operand) => afterPrefix(operand, 'of=')),
  sed: (command) =>
    isInPlace(command) ? command.operands.slice(hasScript(command) ? 0 : 1).map(changed) : [],
  perl: (command) => (isInPlace(command) ? command.operands.slice(1).map(changed) : []),
  ruby: (command) => (isInPlace(command) ? command.operands.slice(1).map(changed) : []),
  patch: ({ operands }) => operands.slice(0, 1).map(changed),
  git: (command) =>
    ['rm', 'mv'].flatMap((name) => subcommand(command, [name])?.rest.operands.map(removed) ?? []),
}

function isInPlace({ words }: CommandWords): boolean {
  return words.some(({ text }) => text !== null && /^(?:-[a-zA-Z]*i|--in-place)/u.test(text))
}

/** The script stands behind an option, and would be taken for an operand: one file more is looked at. */
function hasScript(command: CommandWords): boolean {
  return (
    hasOption(command, '--expression', '--file') ||
    command.words.some(({ text }) => text === '-e' || text === '-f')
  )
}

/** The file that an option names, in the next word or in its own. */
function behindOption({ words }: CommandWords, option: RegExp, attached?: RegExp): readonly WrittenFile[] {
  return words.flatMap((word, index): readonly WrittenFile[] => {
    const next = words[index + 1]
    if (option.test(word.text ?? '') && next !== undefined)
      return [{ ...place(next), path: next.text, removes: false }]
    const path = attached?.exec(word.text ?? '')?.groups?.['path']
    return path === undefined ? [] : [{ ...place(word), path, written: path, removes: false }]
  })
}

function setsScripts(command: CommandWords): boolean {
  if (subcommand(command, ['set-script']) !== undefined) return true
  const words = subcommand(command, ['pkg', 'set'])?.rest.words ?? []
  return words.some(({ text }) => text === null || /^scripts\b/u.test(text))
}

const manifest: WrittenFile = { path: 'package.json', written: 'package.json', span: null, removes: false }

function lastOf({ operands, words }: CommandWords): readonly WrittenFile[] {
  const folder = words.find(({ text }) => /^(?:--target-directory=|-[a-zA-Z]*t.)/u.test(text ?? ''))
  const path = /^(?:--target-directory=|-[a-zA-Z]*?t)(?<path>.+)$/u.exec(folder?.text ?? '')?.groups?.['path']
  if (folder !== undefined && path !== undefined) {
    const into: Operand = { text: path, written: path, word: folder, index: words.indexOf(folder) }
    return [into, ...operands.flatMap((source) => inFolder(into, source))].map(changed)
  }
  const behind = words.findIndex(({ text }) => text === '-t' || text === '--target-directory')
  const named = behind === -1 ? undefined : operands.find(({ index }) => index === behind + 1)
  const last = named ?? operands.at(-1)
  if (last === undefined) return []
  const sources = operands.filter((operand) => operand !== last)
  // Into a folder, the file has the name that it had.
  return [last, ...sources.flatMap((source) => inFolder(last, source))].map(changed)
}

function inFolder(folder: Operand, { text }: Operand): readonly Operand[] {
  if (folder.text === null || text === null) return []
  const name = text.slice(text.lastIndexOf('/') + 1)
  return [
    { ...folder, text: `${folder.text.replace(/\/$/u, '')}/${name}`, written: `${folder.written}/${name}` },
  ]
}

function changed({ text, written, word }: Operand): WrittenFile {
  return { path: text, written, span: word.span, removes: false }
}

function removed(operand: Operand): WrittenFile {
  return { ...changed(operand), removes: true }
}

function afterPrefix({ text, written, word }: Operand, prefix: string): readonly WrittenFile[] {
  if (!written.startsWith(prefix)) return []
  const path = text === null ? null : text.slice(prefix.length)
  return [{ path, written: written.slice(prefix.length), span: word.span, removes: false }]
}

function place({ written, span }: FoundWord): Pick<WrittenFile, 'written' | 'span'> {
  return { written, span }
}
