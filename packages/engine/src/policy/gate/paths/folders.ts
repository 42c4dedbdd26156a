/** In which folders a part of a command line may run: `cd` moves it, in some shell or other. */
import { commandWords, type FoundCommand, programName } from '../../../analysis/shell/index.ts'
import { absolutePath, leadsTo } from '../built-in-rules/file-location.ts'
import type { CommandLocation } from '../built-in-rules/built-in-rule.ts'

export interface Folders {
  /** Absolute; the first is where the line starts. */
  readonly all: readonly string[]
  /** It goes to a folder that is only known when it runs. */
  readonly isUnknown: boolean
}

/** More than that is a line that nobody should have to follow. */
const maxFolders = 32

/** Every folder that some order of its `cd` could lead to: a target is looked at from each of them. */
export function foldersOf(commands: readonly FoundCommand[], place: CommandLocation): Folders {
  const all = [place.folder]
  let isUnknown = false
  for (const command of commands) {
    const program = command.words[0]?.text ?? null
    if (program === null || !['cd', 'pushd', 'popd', 'chdir'].includes(programName(program))) continue
    const target = commandWords(command).operands.at(-1)
    const to = target?.written ?? '~'
    // Both lead back to where it has been.
    if (to === '-' || programName(program) === 'popd') continue
    if (target?.text === null && !/^~[\w./-]*$/u.test(to)) isUnknown = true
    else
      for (const from of all.slice()) {
        const folder = absolutePath(to, { ...place, folder: from })
        add(all, folder)
        // `..` in a path begins where a link leads to.
        add(all, leadsTo(folder, place))
      }
    if (all.length > maxFolders) isUnknown = true
  }
  return { all, isUnknown }
}

function add(folders: string[], folder: string): void {
  if (folders.length <= maxFolders && !folders.includes(folder)) folders.push(folder)
}
