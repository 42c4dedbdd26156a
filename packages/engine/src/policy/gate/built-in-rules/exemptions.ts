/** Removals that lose nothing of value: in a sandbox the built-in rules do not ask for them. */
import { commandWords, type FoundCommand, hasOption, type Operand } from '../../../analysis/shell/index.ts'
import { absolutePath, isWithin } from './file-location.ts'
import type { CommandLocation } from './file-location.ts'

interface Sparing {
  /** Absolute; where the command may run. */
  readonly folders: readonly string[]
  readonly place: CommandLocation
  /** Whether what lies at an absolute path can be made again, with all that is in it. */
  readonly canBeMadeAgain: (path: string) => boolean
}

/** A sandbox has its own of these folders. */
const passing = ['/tmp', '/var/tmp']

/**
 * `rm -f FILE` is no more than `rm FILE`, which needs no question. `rm -r` is free for folders that can be made again, and in
 * temporary folders.
 */
export function isSpared(found: FoundCommand, { folders, place, canBeMadeAgain }: Sparing): boolean {
  const command = commandWords(found)
  const { operands } = command
  if (command.program !== 'rm' || operands.length === 0 || found.words.some(({ text }) => text === null))
    return false
  if (!hasOption(command, '-r', '-R', '--recursive')) return true
  const isFree = (path: string) => isPassing(path, place) || lockFile.test(path) || canBeMadeAgain(path)
  return folders.every((folder) => operands.every((operand) => isFree(pathOf(operand, { ...place, folder }))))
}

/** Written anew by the next installation. */
const lockFile =
  /\/(?:package-lock\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|Cargo\.lock|poetry\.lock|uv\.lock|Pipfile\.lock|composer\.lock|Gemfile\.lock|go\.sum)$/u

function pathOf({ text, written }: Operand, place: CommandLocation): string {
  // A literal `~` in quotes is no home folder.
  return absolutePath(text?.startsWith('~') === true ? `./${text}` : (text ?? written), place)
}

function isPassing(path: string, { workFolder }: CommandLocation): boolean {
  const isApart = !isWithin(workFolder, path) && !isWithin(path, workFolder)
  return isApart && passing.some((folder) => path !== folder && isWithin(path, folder))
}
