import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { foundCommand, place } from '../fixtures/found-command.ts'
import { builtInTable } from '../fixtures/floor-table.ts'
import { builtInRules, matchBuiltInRules } from './match-built-in-rules.ts'

function namesFor(line: string): readonly string[] {
  return matchBuiltInRules(foundCommand(line), place).matches.map(({ rule }) => rule.name)
}

describe('given the built-in rules', () => {
  it.each(Object.entries(builtInTable))(
    'finds %s, and not what only looks like it',
    (name, [found, others]) => {
      expect(found.filter((line) => !namesFor(line).includes(name))).toEqual([])
      expect(others.filter((line) => namesFor(line).includes(name))).toEqual([])
    },
  )

  it('has a row in this table for every rule', () => {
    expect(Object.keys(builtInTable)).toEqual(builtInRules.map(({ name }) => name))
  })

  it('reads what is given to a database on its standard input', () => {
    const found = foundCommand('psql', 'BEGIN;\nDROP TABLE users;\n')
    expect(matchBuiltInRules(found, place).matches[0]?.rule.name).toBe('removal from a database')
  })

  it('names the program and the subcommand, or all words where an option is what counts', () => {
    expect(matchBuiltInRules(foundCommand('git -C x stash drop y'), place).matches[0]?.wordIndexes).toEqual([
      0, 1, 2, 3, 4,
    ])
    expect(matchBuiltInRules(foundCommand('git push -f'), place).matches[0]?.wordIndexes).toEqual([0, 1, 2])
  })

  it.each(['npm test', 'ls -la', 'git status', 'mv a b'])('says nothing of %s', (line) =>
    expect(namesFor(line)).toEqual([]),
  )
})

describe('given words that are only known when it runs', () => {
  it.each(['rm $x', 'git push origin $branch', 'git $x', 'npm $x'])('a rule may find %s', (line) =>
    expect(matchBuiltInRules(foundCommand(line), place).possible).not.toEqual([]),
  )

  it.each(['node $x', 'git commit -m $x', 'npm test $x', 'docker run $x'])('no rule may find %s', (line) =>
    expect(matchBuiltInRules(foundCommand(line), place).possible).toEqual([]),
  )
})

describe('given any words', () => {
  const word = fc.oneof(
    fc.constantFrom(...'rm git push -f --force -- - / .. $x ~ aws psql of=/dev/sda'.split(' '), ''),
    fc.string({ maxLength: 8 }),
  )
  test.prop([fc.array(word, { minLength: 1, maxLength: 8 })])(
    'an answer comes, and another option does not hide it',
    (words) => {
      const found = (texts: readonly string[]) => {
        const all = texts.map((text) => ({ text, written: text, span: null }))
        return matchBuiltInRules({ words: all, span: null, through: [], isTransparent: false }, place).matches
      }
      found(words)
      expect(found(['git', ...words, '-C', 'x', 'push', '--force']).length).toBeGreaterThanOrEqual(
        words.every((text) => text.startsWith('-') && text !== '--') ? 1 : 0,
      )
    },
  )
})
