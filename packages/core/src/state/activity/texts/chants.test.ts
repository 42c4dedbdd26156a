import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { chants } from '../texts.ts'

const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n')

const start = 'Let me see what the file says, and then decide what to do about it. '
const passage = 'I need to check the file again before I go on. '

describe('given a text that says one passage over and over', () => {
  it.each([
    ['a sentence', start + passage.repeat(30)],
    ['two sentences, line by line', start + 'Wait.\nThe test still fails, so I look again.\n'.repeat(30)],
    ['the last time cut off', start + passage.repeat(30) + passage.slice(0, 20)],
    ['other case and spaces', start + `${passage}  ${passage.toUpperCase()}\n`.repeat(15)],
    ['in a fence that is never closed', `\`\`\`\n${'return the value of it\n'.repeat(40)}`],
    ['longer than what is looked at', passage.repeat(5000)],
  ])('%s: it chants', (_, text) => {
    expect(chants(text)).toBe(true)
  })

  it('most of the reply has to be that passage', () => {
    const other = lines(
      20,
      (index) => `Line ${index} says something else: ${'abcdefg'.slice(index % 7)}${index * 17}.`,
    )
    expect(chants(`${other}\n${passage.repeat(20)}`)).toBe(false)
    expect(chants(`${other}\n${passage.repeat(80)}`)).toBe(true)
  })

  it('a passage has eight characters or more, and stands there five times or more', () => {
    expect(chants(`${'go on now '.repeat(40)}go`)).toBe(true)
    expect(chants('go now '.repeat(100))).toBe(false)
    expect(chants('a'.repeat(5000))).toBe(false)
    expect(chants('say it '.repeat(15).padEnd(120, 'x').repeat(4))).toBe(false)
  })

  it('a short reply is none', () => {
    expect(chants('go on now '.repeat(20))).toBe(false)
  })
})

const path = (index: number) =>
  `src/${'abcdefghij'[index % 10] ?? ''}/${'klmnopqrst'[Math.floor(index / 10)] ?? ''}.ts`

describe('given a text that repeats itself for a reason', () => {
  it.each([
    ['a list with dashes', lines(60, (index) => `- \`${path(index)}\`: ok`)],
    ['a list of equal items', lines(60, () => '- [ ] to be done')],
    ['a list with stars', lines(60, (index) => `* checked ${path(index)}`)],
    ['a numbered list', lines(60, (index) => `${index + 1}. The test passes.`)],
    [
      'a table',
      ['| test | linux | mac |', '|---|---|---|', lines(40, () => '| passes | yes | yes |')].join('\n'),
    ],
    [
      'a table with aligned columns',
      ['| a | b |', '| :--- | ---: |'.repeat(8), lines(40, () => '|   |   |')].join('\n'),
    ],
    ['dividers', lines(40, () => '='.repeat(80))],
    ['a picture', lines(20, () => '+----------+----------+----------+----------+----------+----------+')],
    ['a picture of dots', lines(30, () => '. . . * . . . * . . . * . . . * . . . * . . . * .')],
    [
      'a fence of code',
      `The matrix:\n\`\`\`python\n${lines(80, () => '    [0, 0, 0, 0, 0, 0, 0, 0],')}\n\`\`\`\nThat is all.`,
    ],
    ['two fences', `~~~\n${'return null\n'.repeat(40)}~~~\nand\n\`\`\`\n${'return null\n'.repeat(40)}\`\`\``],
    ['a quote', lines(60, () => '> the same line of a log, again and again')],
    [
      'a log of 200 similar lines',
      lines(
        200,
        (index) =>
          `2026-01-31T12:${String(10 + (index % 50))}:${index % 60}Z INFO heartbeat number ${index} took ${index % 17} ms`,
      ),
    ],
    ['a JSON list', JSON.stringify(Array.from({ length: 60 }, () => ({ id: 0, name: 'item', done: false })))],
    [
      'a JSON list, printed',
      JSON.stringify(
        Array.from({ length: 60 }, () => ({ id: 0, done: false })),
        null,
        2,
      ),
    ],
    [
      'tests that are built alike',
      lines(30, (index) => `it('adds ${index}', () => { expect(add(${index}, 1)).toBe(${index + 1}) })`),
    ],
    [
      'questions and answers',
      lines(20, (index) => `What about ${path(index)}?\nIt is fine, I have read it.`),
    ],
    ['nothing', ''],
  ])('%s is no chant', (_, text) => {
    expect(chants(text)).toBe(false)
  })

  it('prose of generated words is none', () => {
    const word = fc.string({
      minLength: 2,
      maxLength: 9,
      unit: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
    })
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 60, maxLength: 200 }), (words) => {
        expect(chants(words.join(' '))).toBe(false)
      }),
    )
  })
})

describe('given blanks', () => {
  it('a line of them is read in time that grows with its length alone', () => {
    expect(chants(`${passage.repeat(20)}\n${' '.repeat(7000)}a`)).toBe(false)
    expect(chants(`${' \n'.repeat(4000)}a`)).toBe(false)
  })
})
