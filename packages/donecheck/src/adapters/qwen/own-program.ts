/** The process of Qwen Code, and who it talks with by its words. */
import { hasShortFlag, hasWord, type OwnProgram, type ToldByWords } from '../../agents/index.ts'

export const qwenProgram: OwnProgram = {
  names: ['qwen'],
  folders: ['@qwen-code/qwen-code'],
  told(words) {
    if (hasShortFlag(words, 'p') || hasWord(words, ['--prompt'])) return 'nobody'
    return hasWord(words, ['-i', '--prompt-interactive', '--promptInteractive']) ? 'somebody' : plain(words)
  },
}

/**
 * A prompt without a flag is one for a single task, and a single word may be a command. So no flag may be there of which it is
 * not known whether the next word is its value.
 */
function plain(words: readonly string[]): ToldByWords {
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    if (!word.startsWith('-')) return /^[a-z][a-z-]*$/.test(word) ? 'unknown' : 'nobody'
    if (withValue.has(word)) at += 1
    else if (!alone.has(word) && !withValue.has(word.split('=', 1)[0] ?? '')) return 'unknown'
  }
  return 'somebody'
}

const alone = new Set([
  '-y',
  '--yolo',
  '-d',
  '--debug',
  '-s',
  '--sandbox',
  '-c',
  '--continue',
  '--screen-reader',
])

const withValue = new Set([
  '-m',
  '--model',
  '--approval-mode',
  '--auth-type',
  '--session-id',
  '--output-style',
])
