/** The process of Cursor in a terminal, and who it talks with by its words. Its window has no such process: there nobody can say. */
import { commandIn, hasShortFlag, hasWord, type OwnProgram } from '../../agents/index.ts'

export const cursorProgram: OwnProgram = {
  names: ['cursor-agent'],
  folders: ['cursor-agent'],
  told(words) {
    if (hasShortFlag(words, 'p') || hasWord(words, ['--print'])) return 'nobody'
    const command = commandIn(words)
    const isOther = command !== undefined && !inTerminal.includes(command)
    return isOther || hasWord(words, elsewhere) ? 'unknown' : 'somebody'
  },
}

const inTerminal: readonly string[] = ['agent', 'resume']

/** It hands its work to a machine of Cursor's. */
const elsewhere = ['-b', '--background', '-c', '--cloud']
