import { describe, expect, it } from 'vitest'
import { commandsIn, obstaclesIn } from './showing.test.ts'

describe('given more than may be looked at', () => {
  const nested = (depth: number) =>
    Array.from({ length: depth }, () => 'eval').reduce(
      (line) => `eval '${line.replaceAll("'", `'\\''`)}'`,
      'rm -rf x',
    )

  it('follows eight wrappers, and no more', () => {
    expect(commandsIn(`${'nice '.repeat(8)}rm -rf x`)).toContain('rm -rf x')
    expect(obstaclesIn(`${'nice '.repeat(8)}rm -rf x`)).toEqual([])
    expect(commandsIn(`${'nice '.repeat(9)}rm -rf x`)).not.toContain('rm -rf x')
    expect(obstaclesIn(`${'nice '.repeat(9)}rm -rf x`)).toContain('too-deep')
  })

  it('follows texts in texts as deep', () => {
    expect(commandsIn(nested(8))).toContain('rm -rf x')
    expect(commandsIn(nested(9))).not.toContain('rm -rf x')
    expect(obstaclesIn(nested(9))).toContain('too-deep')
  })

  it('stops at a thousand commands, and says so', () => {
    expect(commandsIn('a;'.repeat(1_000))).toHaveLength(1_000)
    expect(obstaclesIn('a;'.repeat(1_000))).toEqual([])
    expect(commandsIn('a;'.repeat(1_001))).toHaveLength(1_000)
    expect(obstaclesIn('a;'.repeat(1_001))).toEqual(['too-deep'])
  })

  it('looks at the beginning of a line that is too long', () => {
    const line = `rm -rf x; echo ${'a'.repeat(70_000)}`
    expect(commandsIn(line)[0]).toBe('rm -rf x')
    expect(obstaclesIn(line)).toEqual(['too-deep'])
  })

  it('does not look into ten thousand parentheses', () => {
    expect(obstaclesIn(`${'('.repeat(10_000)}rm -rf x`)).toContain('too-deep')
    expect(obstaclesIn(`${'$('.repeat(10_000)}rm -rf x`)).toContain('too-deep')
  })
})
