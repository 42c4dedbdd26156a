/** The process of Gemini CLI, and who it talks with by its words. */
import { hasShortFlag, hasWord, type OwnProgram } from '../../agents/index.ts'

export const geminiProgram: OwnProgram = {
  names: ['gemini'],
  folders: ['@google/gemini-cli'],
  told(words) {
    if (hasShortFlag(words, 'p') || hasWord(words, ['--prompt'])) return 'nobody'
    return hasWord(words, forClients) ? 'unknown' : 'somebody'
  },
}

/** Whoever sits before those, if anybody does, sits elsewhere. */
const forClients = ['--acp', '--experimental-acp', '--experimentalAcp']
