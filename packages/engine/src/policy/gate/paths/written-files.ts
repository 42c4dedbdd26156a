/** Files that a command writes to by its own arguments: the usual programs, as far as their words say. */
import {
  commandWords,
  subcommand,
  usuallyWrittenPlaces,
  writtenPlaces,
  type FoundCommand,
  type WrittenPlace,
} from '../../../analysis/shell/index.ts'

export function filesWrittenBy(found: FoundCommand): readonly WrittenPlace[] {
  return [...(writtenPlaces(found) ?? usuallyWrittenPlaces(found)), ...(setsScripts(found) ? [manifest] : [])]
}

function setsScripts(found: FoundCommand): boolean {
  const command = commandWords(found)
  if (command.program !== 'npm') return false
  if (subcommand(command, ['set-script']) !== undefined) return true
  const words = subcommand(command, ['pkg', 'set'])?.rest.words ?? []
  return words.some(({ text }) => text === null || /^scripts\b/u.test(text))
}

const manifest: WrittenPlace = { path: 'package.json', written: 'package.json', span: null, kind: 'file' }
