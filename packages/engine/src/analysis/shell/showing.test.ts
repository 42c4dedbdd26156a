import { describe, expect, it } from 'vitest'
import { decompose, type Decomposition } from './index.ts'

/** The commands of a line as people read them: `?` where a word is only known when it runs. */
export function commandsIn(line: string): readonly string[] {
  return shownCommands(decompose(line))
}

export function shownCommands({ commands }: Decomposition): readonly string[] {
  return commands.map(({ words }) => words.map(({ text }) => text ?? '?').join(' '))
}

export function obstaclesIn(line: string): readonly string[] {
  return decompose(line).obstacles.map(({ kind }) => kind)
}

describe('how a decomposition is shown in these tests', () => {
  it('puts a question mark for what is not known', () => {
    expect(commandsIn('echo $(date) x')).toEqual(['echo ? x', 'date'])
  })
})
