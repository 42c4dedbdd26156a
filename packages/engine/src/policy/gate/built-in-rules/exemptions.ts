/** Removals that lose nothing: in a sandbox the built-in rules do not ask for them. */
import { commandWords, type FoundCommand, hasOption, type Operand } from '../../../analysis/shell/index.ts'
import { absolutePath, isWithin } from './file-location.ts'
import type { CommandLocation } from './file-location.ts'

interface Sparing {
  readonly folders: readonly string[]
  readonly place: CommandLocation
  /** Whether the content of an absolute path can be regenerated. */
  readonly canBeMadeAgain: (path: string) => boolean
}

/** A sandbox has its own. */
const passing = ['/tmp', '/var/tmp']

/** `rm -f FILE` needs no question, as `rm FILE`; `rm -r` is free for regenerable and temporary folders. */
export function isSpared(found: FoundCommand, { folders, place, canBeMadeAgain }: Sparing): boolean {
  const command = commandWords(found)
  const { operands } = command
  if (command.program !== 'rm' || operands.length === 0 || found.words.some(({ text }) => text === null))
    return false
  if (!hasOption(command, '-r', '-R', '--recursive')) return true
  const isFree = (path: string) => isPassing(path, place) || lockFile.test(path) || canBeMadeAgain(path)
  return folders.every((folder) => operands.every((operand) => isFree(pathOf(operand, { ...place, folder }))))
}

/** The next installation writes them again. */
const lockFile =
  /\/(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|go\.sum)$/u

function pathOf({ text, written }: Operand, place: CommandLocation): string {
  // A quoted `~` is not the home folder.
  return absolutePath(text?.startsWith('~') === true ? `./${text}` : (text ?? written), place)
}

function isPassing(path: string, { workFolder }: CommandLocation): boolean {
  const isApart = !isWithin(workFolder, path) && !isWithin(path, workFolder)
  return isApart && passing.some((folder) => path !== folder && isWithin(path, folder))
}
