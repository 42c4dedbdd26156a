import { describe, expect, it } from 'vitest'
import { commandIn, hasShortFlag, hasWord } from './command-words.ts'

describe('given the words of a command', () => {
  it('finds a short flag alone, among others, and with its value behind it', () => {
    for (const word of ['-p', '-yp', '-pfix', '-p=fix'])
      expect(hasShortFlag(['x', word], 'p'), word).toBe(true)
    for (const word of ['--prompt', 'p', '-', '--', '-1p', '-m=p'])
      expect(hasShortFlag([word], 'p'), word).toBe(false)
  })

  it('finds a word with its value behind it', () => {
    expect(hasWord(['--prompt=fix'], ['--prompt'])).toBe(true)
    expect(hasWord(['--prompt-interactive', 'fix'], ['--prompt'])).toBe(false)
  })

  it('takes the first word for a command, where it is no sentence and no value', () => {
    expect(commandIn(['resume', '--last'])).toBe('resume')
    for (const words of [[], ['fix it'], ['Fix'], ['-m', 'gpt'], ['--yolo']])
      expect(commandIn(words)).toBeUndefined()
  })
})
