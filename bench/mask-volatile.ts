import { readOutcome, replyRecord } from '@donecheck/core/activity'
import { rounded, type Table } from './table.ts'

/** Texts that make a careless expression slow: each is one piece, repeated. */
const hostile: Readonly<Record<string, string>> = {
  digits: '1',
  'digits and dots': '1.',
  'digits and colons': '1:',
  'digits and dashes': '2026-01-',
  letters: 'a',
  'letters and digits': 'a1_',
  blanks: ' ',
  'lines of blanks': ' \n',
  escapes: '\u001b[1;',
  'half an id': '123e4567-e89b-12d3-',
  'open brackets': 'In [',
  words: 'pid = ',
}

/** What tools say most of the time. */
const usual: Readonly<Record<string, string>> = {
  'a log':
    '2026-01-31T12:00:00.000Z INFO [worker-3] request 123e4567-e89b-12d3-a456-426614174000 took 12 ms (200)\n',
  'a test report': ' \u2713 src/parse.test.ts (12 tests) 31ms\n   \u00d7 reads a number > at its end 4ms\n',
  source: '  const answer42 = read(value, 997) // kept\nexport function parse3(value: string): number {\n',
  prose: 'The quick brown fox jumps over 13 lazy dogs.\n',
}

/** Both are masked whole: a longer result is compared as it is. */
const smallCharacters = 25_600
const largeCharacters = 256_000
/** The first of them run code that was never run before; a run meets it once, so it is told by itself. */
const rounds = 40

/** Usual text by its price; any text by what ten times as much of it takes: ten times as long. */
export function maskTable(): Table {
  const rows: Table['rows'][number][] = []
  for (const [name, piece] of Object.entries(usual)) {
    const { first, warm } = microsecondsPerKilobyte(piece, smallCharacters, asResult)
    rows.push({
      name,
      'µs per KB, 26 KB': rounded(warm, 1),
      'the first time': rounded(first, 1),
      'as a reply': rounded(microsecondsPerKilobyte(piece, smallCharacters, asReply).warm, 1),
      aim: '<= 5',
    })
  }
  for (const [name, piece] of Object.entries(hostile)) {
    const small = microsecondsPerKilobyte(piece, smallCharacters, asResult)
    const large = microsecondsPerKilobyte(piece, largeCharacters, asResult).warm
    rows.push({
      name,
      'µs per KB, 26 KB': rounded(small.warm, 1),
      'the first time': rounded(small.first, 1),
      'µs per KB, 256 KB': rounded(large, 1),
      'ratio of them': rounded(large / small.warm, 2),
      aim: '<= 2',
    })
  }
  return { title: 'masking what is volatile in a result', rows }
}

function asResult(text: string): void {
  readOutcome(text, true)
}

/** Its end alone is looked at, with words and repetitions. */
function asReply(text: string): void {
  replyRecord(1, { text, calls: 0, claimed: false })
}

/** The least of many: a busy machine disturbs only some of them. */
function microsecondsPerKilobyte(piece: string, size: number, read: (text: string) => void) {
  const text = piece.repeat(Math.ceil(size / piece.length)).slice(0, size)
  const perKilobyte = Array.from({ length: rounds }, () => {
    const startedMs = performance.now()
    read(text)
    return ((performance.now() - startedMs) * 1000) / (size / 1024)
  })
  return { first: perKilobyte[0] ?? Number.NaN, warm: Math.min(...perKilobyte) }
}
