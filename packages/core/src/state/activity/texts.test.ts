import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maskVolatile, chants, textHash, lineSketch, saysNearlyTheSame } from './texts.ts'

/** What differs between two runs of the same thing: must say the same, in a success and in a failure. */
const volatile: readonly (readonly [string, string, string])[] = [
  ['a time in ISO', 'done at 2026-01-31T12:00:00.000Z', 'done at 2026-02-01T08:14:59.123Z'],
  ['a time with its zone', 'done at 2026-01-31 12:00:00+01:00', 'done at 2026-02-01 08:14:59+02:00'],
  ['a day', 'since 2026-01-31', 'since 2026-02-01'],
  ['a day with slashes', 'since 31/01/2026', 'since 1/2/2026'],
  ['a time of day', '12:00:01 started', '9:14:59 started'],
  ['milliseconds', 'took 12 ms', 'took 431 ms'],
  ['milliseconds without a space', 'took 12ms', 'took 431ms'],
  ['seconds', 'passed in 1.52s', 'passed in 12.1s'],
  ['seconds in words', 'elapsed: 3 seconds', 'elapsed: 14 seconds'],
  ['a rate', '1086.89it/s', '99.1it/s'],
  ['a speed', 'at 3.1 MB/s', 'at 40 kB/s'],
  ['an address', 'object at 0x7f3a91c0', 'object at 0xdeadbeef'],
  ['a cell of a notebook', 'In [3]: x', 'In [14]: x'],
  ['a UUID', 'request 123e4567-e89b-12d3-a456-426614174000', 'request 00000000-1111-2222-3333-444444444444'],
  [
    'a UUID of letters',
    'request abcdefab-cdef-abcd-efab-cdefabcdefab',
    'request FEDCBAFE-dcba-fedc-bafe-dcbafedcbafe',
  ],
  ['a process id', 'killed pid 4711', 'killed pid 12'],
  ['an attempt', 'retry #3 refused', 'retry #4 refused'],
  ['a request', 'nothing found (request 17)', 'nothing found (request 18)'],
  ['a port of this machine', 'listening on localhost:34567', 'listening on localhost:41234'],
  ['a temporary folder of letters', 'in /tmp/tmp.kxQfWabZ', 'in /tmp/tmp.QpLmNvRt'],
  ['a temporary file', 'wrote /tmp/tmpk3x9f2ab', 'wrote /tmp/tmp8d0qz71c'],
  ['a digest', 'image 9f86d081884c7d65', 'image 2c26b46b68ffc68f'],
  ['colours', '\u001b[31mred\u001b[0m', '\u001b[32mred\u001b[0m'],
  ['a time stamp in milliseconds', 'at 1769860800123', 'at 1769860812345'],
  ['a time stamp in seconds', 'at 1769860800', 'at 1769860812'],
  ['a clock of twelve hours', 'it is 10:32 PM', 'it is 9:05 am'],
  ['a day with its month', 'Mon, 05 Jan 2026 10:00:00', 'Tue, 10 Feb 2026 11:12:13'],
  ['a day of a log', 'Jan  5 10:00:00 host', 'Feb 12 11:12:13 host'],
  ['hours', 'up 3 hours', 'up 14 hours'],
  ['a time stamp with its fraction', 'at 1769860800.12', 'at 1769860812.3456'],
]

/** What says that something else came about: must never say the same. */
const telling: readonly (readonly [string, string, string])[] = [
  ['a count of tests', '3 tests failed', '2 tests failed'],
  ['a count of passes', '10 passed, 3 failed', '11 passed, 2 failed'],
  ['a part of a whole', '12/40 done', '13/40 done'],
  ['a share', 'coverage 81 %', 'coverage 82 %'],
  ['a share without a space', '81% done', '82% done'],
  ['progress', '12 of 40 done', '13 of 40 done'],
  ['a count of errors', 'found 4 errors', 'found 5 errors'],
  ['a count of problems', '4 problems', '5 problems'],
  ['a word', 'expected true', 'expected false'],
  ['a name', 'FAIL adds', 'FAIL subtracts'],
  ['a path', 'at src/a.ts', 'at src/b.ts'],
]

describe('given two texts that differ in what a second run changes by itself', () => {
  it.each(volatile)('%s is masked', (_, one, other) => {
    expect(maskVolatile(one, false)).toBe(maskVolatile(other, false))
    expect(maskVolatile(one, true)).toBe(maskVolatile(other, true))
  })
})

describe('given two texts that say something else', () => {
  it.each(telling)('%s stays', (_, one, other) => {
    expect(maskVolatile(one, false)).not.toBe(maskVolatile(other, false))
    expect(maskVolatile(one, true)).not.toBe(maskVolatile(other, true))
  })

  it.each([
    ['a result', 'x = 41', 'x = 42'],
    ['a place', 'found at line 12', 'found at line 13'],
    ['a large result', '12586269025', '20365011074'],
    ['a count of bytes', 'wrote 314572800 bytes', 'wrote 524288000 bytes'],
  ])('%s of a success stays', (_, one, other) => {
    expect(maskVolatile(one, false)).not.toBe(maskVolatile(other, false))
  })
})

describe('given two failures', () => {
  it.each([
    ['their line', 'a.py, line 12: boom', 'a.py, line 31: boom'],
    ['their place', 'src/a.ts:12:7 boom', 'src/a.ts:31:9 boom'],
    ['their seed', 'seed -1840123, boom', 'seed 512, boom'],
    ['their port', 'refused: localhost:3456', 'refused: localhost:8080'],
  ])('that differ in %s fail in the same way', (_, one, other) => {
    expect(maskVolatile(one.replace('-', ''), true)).toBe(maskVolatile(other, true))
  })
})

describe('given any text', () => {
  it('what is masked once is masked: a second time changes nothing', () => {
    const piece = fc.constantFrom(
      ...volatile.flatMap(([, one, other]) => [one, other]),
      ...telling.flatMap(([, one]) => [one]),
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string())), fc.boolean(), (pieces, failed) => {
        const once = maskVolatile(pieces.join(' '), failed)
        expect(maskVolatile(maskVolatile(once, failed), failed).length).toBeLessThanOrEqual(once.length)
      }),
    )
  })

  it.each([
    '1',
    '1.',
    '1:',
    '2026-01-',
    'a',
    'a1_',
    ' ',
    '\u001b[1;',
    '123e4567-e89b-12d3-',
    'In [',
    'pid = ',
    'Mon, 1 ',
  ])('a long text of %j is masked in time that grows with its length alone', (piece) => {
    const text = piece.repeat(Math.ceil(64_000 / piece.length))
    expect(maskVolatile(`${text}%`, true).length).toBeLessThanOrEqual(text.length + 1)
  })

  it('only the beginning of a very long text is masked', () => {
    const text = 'took 12 ms\n'.repeat(10_000)
    expect(maskVolatile(text, false)).toMatch(/^took #\n.*took 12 ms$/s)
  })
})

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

describe('given a text', () => {
  it('its hash is what was written down in records, and stays it', () => {
    expect([textHash(''), textHash('a'), textHash('hello')]).toEqual([
      'wvjl67o803',
      '262p94epp1d',
      '19jqrdkps12',
    ])
  })

  it('100,000 texts that differ in little have 100,000 hashes', () => {
    const hashes = new Set(Array.from({ length: 100_000 }, (_, index) => textHash(`call ${index}`)))
    expect(hashes.size).toBe(100_000)
  })
})

const page = (count: number, more = '') =>
  Array.from(
    { length: count },
    (_, at) => `a line about ${'abcdefghijklmnopqrstuvwxyz'[at % 26] ?? ''}${'x'.repeat(at)}`,
  )
    .concat(more)
    .join('\n')
const isNear = (one: string, other: string) => saysNearlyTheSame(lineSketch(one), lineSketch(other))

describe('given two results', () => {
  it.each([
    ['a counter', 'Nothing found (request 17)', 'Nothing found (request 18)'],
    ['blanks', 'a  b\n\nc', 'a b\nc '],
    ['an advert', page(8, 'Buy a boat'), page(8, 'Buy a house')],
    ['two lines of many', page(40, 'one'), page(40, 'other\nthird')],
  ])('that differ in %s say nearly the same', (_, one, other) => {
    expect(isNear(one, other)).toBe(true)
    expect(isNear(other, one)).toBe(true)
  })

  it.each([
    ['how far something is', '12 of 40 done', '13 of 40 done'],
    ['a share of it', '12/40', '13/40'],
    ['a count of failures', '3 failed', '2 failed'],
    ['a word of few', 'compiled a', 'compiled b'],
    ['one line of few', page(3, 'one'), page(3, 'other')],
    ['half of the lines', page(8), page(16)],
    ['everything', page(30), page(60).split('\n').slice(30).join('\n')],
  ])('that differ in %s do not', (_, one, other) => {
    expect(isNear(one, other)).toBe(false)
  })

  it('a sketch is short, however long the text is', () => {
    expect(lineSketch(page(500)).length).toBeLessThan(16 * 8)
    expect(lineSketch('')).toBe('')
  })
})
