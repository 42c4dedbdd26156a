import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decompose } from './index.ts'
import { commandsIn } from './showing.test.ts'

const tokens = fc.constantFrom(
  ...[
    ...[...'a rm ; && || | |& & &> ( ) { } (( )) !'.split(' '), ' ', '\n', '{ ', '; }', '[[ ', ' ]]'],
    ...[...'$ $( ` $(( <( >( " $" \\ # < > << <<< = x= +='.split(' '), '${', "'", "$'", '<<E\n', '\nE\n'],
    ...[
      'if ',
      '; then ',
      '; fi',
      'for x in ',
      '; do ',
      '; done',
      'while ',
      'case x in ',
      ';;',
      '; esac',
      'f() ',
      'function ',
      'coproc ',
      'time ',
    ],
    ...[
      ...'$x $@ * ? [ ] ~ , ..'.split(' '),
      'sh -c ',
      'eval ',
      'sudo ',
      'env ',
      'xargs ',
      'find -exec ',
      'trap ',
      'git -c a=',
      'alias ',
    ],
    ...['\0', '\r', '\t', '\uD800', '😀', '-', '--', '1', '%', '^', '@P', ':-', '//'],
  ],
)

describe('given any text at all', () => {
  it('never throws, and every place that it tells is in the text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.array(tokens, { maxLength: 60 }).map((parts) => parts.join('')),
          fc.string({ unit: 'binary' }),
        ),
        (line) => {
          const { commands, obstacles, writes } = decompose(line)
          for (const { words } of commands) expect(words.length).toBeGreaterThan(0)
          const spans = [...commands, ...commands.flatMap(({ words }) => words), ...obstacles, ...writes].map(
            ({ span }) => span,
          )
          for (const span of spans)
            if (span !== null) expect(0 <= span[0] && span[0] <= span[1] && span[1] <= line.length).toBe(true)
        },
      ),
      { numRuns: 1_500 },
    )
  })

  it('says of every word that is not known that it is not', () => {
    fc.assert(
      fc.property(
        fc.array(tokens, { maxLength: 40 }).map((parts) => parts.join('')),
        (line) => {
          const { commands, obstacles } = decompose(line)
          fc.pre(obstacles.length === 0)
          expect(commands.every(({ words }) => words.every(({ text }) => text !== null))).toBe(true)
        },
      ),
      { numRuns: 1_000 },
    )
  })

  it('never throws where there is no shell either', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            tokens,
            fc.constantFrom(...'sudo env -S bash -c git find xargs --x docker run'.split(' ')),
            fc.string(),
          ),
        ),
        (words) => {
          const quoted = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`)
          const { commands } = decompose(quoted.join(' '))
          expect(commands.length).toBeGreaterThanOrEqual(Math.min(1, words.length))
        },
      ),
    )
  })
})

describe('given any words', () => {
  const word = fc
    .string({ unit: 'binary', maxLength: 12 })
    .map((text) => text.replace(/[\0\r\uD800-\uDFFF]/g, '') || 'a')
  const quotings: readonly ((text: string) => string)[] = [
    (text) => `'${text.replaceAll("'", `'\\''`)}'`,
    (text) => `"${text.replace(/[\\"$`]/g, '\\$&')}"`,
    (text) => Array.from(text, (letter) => (letter === '\n' ? "'\n'" : `\\${letter}`)).join(''),
    (text) =>
      `$'${Array.from(text, (letter) => `\\U${(letter.codePointAt(0) ?? 0).toString(16).padStart(8, '0')}`).join('')}'`,
    (text) => Array.from(text, (letter) => (letter === "'" ? `"'"` : `'${letter}'`)).join(''),
  ]

  it('reads them the same in whatever way they are quoted', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(word, fc.nat(quotings.length - 1)), { minLength: 1, maxLength: 5 }),
        (words) => {
          const line = `echo ${words.map(([text, how]) => quotings[how]?.(text)).join(' ')}`
          expect(decompose(line).commands[0]?.words.map(({ text }) => text)).toEqual([
            'echo',
            ...words.map(([text]) => text),
          ])
        },
      ),
    )
  })

  it('finds a program in whatever way its name is quoted', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat(quotings.length - 1), { minLength: 2, maxLength: 2 }),
        ([first = 0, second = 0]) => {
          expect(commandsIn(`${quotings[first]?.('r')}${quotings[second]?.('m')} -rf x`)).toEqual([
            'rm -rf x',
          ])
        },
      ),
    )
  })
})

describe('given long lines of what is costly to read', () => {
  const length = 60_000

  it.each([
    ['$(', 2_000],
    ['`', 1],
    ['(', 1],
    ['<<E ', 1],
    ['{a,b}', 1],
    ['$x ', 1],
    ['x=$x$x;', 1],
    ['sudo --y ', 1],
    ['xargs --y ', 1],
    ['docker run a ', 1],
    ['eval ', 1],
    ['[', 1],
    ["'a[$(' ", 1],
    ["$'\\'' ", 1],
    ['echo a | sh; ', 1],
    ['f() { $1; }; f a; ', 1],
    ['"$(', 1],
    ['a;(', 1],
  ])('reads %j over and over within the bounds', (part) => {
    const { commands, obstacles } = decompose(part.repeat(length / part.length))
    expect(commands.length).toBeLessThanOrEqual(1_000)
    expect(obstacles.length).toBeLessThanOrEqual(1_001)
  })
})
