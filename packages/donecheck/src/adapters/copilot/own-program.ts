/** The process of the Copilot CLI, and who it talks with by its words. */
import { commandIn, hasShortFlag, hasWord, type OwnProgram } from '../../agents/index.ts'

export const copilotProgram: OwnProgram = {
  names: ['copilot'],
  folders: ['@github/copilot'],
  told(words) {
    if (hasShortFlag(words, 'p') || hasWord(words, ['--prompt'])) return 'nobody'
    return hasWord(words, forClients) || commandIn(words) !== undefined ? 'unknown' : 'somebody'
  },
}

/** Whoever sits before those, if anybody does, sits elsewhere. */
const forClients = ['--acp', '--server', '--headless', '--ui-server', '--port', '--connect']
