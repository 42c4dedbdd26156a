/** Scripts of `sed` and `awk` of which each part is known to print and no more. */
import type { FoundWord } from '../decomposition.ts'
import { optionTable } from '../programs/options.ts'
import { readWords } from './known-words.ts'

const sedOptions = optionTable(
  'n E r e: s u z quiet silent regexp-extended expression null-data separate unbuffered',
)

/** Every script is made of addresses and of commands that neither write, read other files, nor run anything. */
export function isReadingSed(args: readonly FoundWord[]): boolean {
  const read = readWords(args, sedOptions)
  if (read === undefined) return false
  const behind = args.flatMap(({ text }, index) => {
    const attached = /^(?:-[nErsuz]*e|--expression=)(?<script>.+)$/su.exec(text ?? '')?.groups?.['script']
    if (attached !== undefined) return [attached]
    return /^(?:-[nErsuz]*e|--expression)$/u.test(text ?? '') ? [args[index + 1]?.text ?? null] : []
  })
  const scripts = behind.length > 0 ? behind : [read.operands[0]?.text ?? null]
  return scripts.every((script) => script !== null && script.length < maxScriptLength && isPrinting(script))
}

const maxScriptLength = 2_000

const address = String.raw`(?:\d+(?:~\d+)?|\$|/(?:\\.|\[[^\]\n]*\]|[^/\\\n\[])*/I?)`
const substitution = String.raw`s([^\w\s\\])(?:\\.|(?!\1)[^\\\n])*\1(?:\\.|(?!\1)[^\\\n])*\1[gpiIM\d]*`
const transliteration = String.raw`y([^\w\s\\])(?:\\.|(?!\2)[^\\\n])*\2(?:\\.|(?!\2)[^\\\n])*\2`
const sedCommand = new RegExp(
  String.raw`[\s;]*(?:${address}(?:\s*,\s*(?:\+?${address}))?)?\s*!?\s*(?:${substitution}|${transliteration}|[pdDPnNhHgGxl=]|[qQ]\d*)\s*(?:[;\n]|$)`,
  'uy',
)

function isPrinting(script: string): boolean {
  let at = 0
  while (at < script.length) {
    sedCommand.lastIndex = at
    const found = sedCommand.exec(script)
    if (found === null || found[0] === '') return false
    at += found[0].length
  }
  return at > 0
}

const awkOptions = optionTable('F: v: field-separator assign')

/** It starts nothing, writes no file, and reads none but those that are named. */
export function isReadingAwk(args: readonly FoundWord[]): boolean {
  const operands = readWords(args, awkOptions)?.operands
  const program = operands?.[0]?.text ?? null
  if (program === null || /\b(?:system|getline|close|fflush|ARGV|ARGC|ENVIRON|PROCINFO)\b|@/u.test(program))
    return false
  const prints = /\bprintf?\b/u.test(program)
  return !/(?<!\|)\|(?!\|)/u.test(program) && !(prints && program.includes('>'))
}
