import { readOutcome, replyRecord } from 'donecheck/events'
import { median, rounded, timed, type Table } from './table.ts'

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

/** Both are masked whole: a longer result is compared as it is. */
const smallCharacters = 25_600
const largeCharacters = 256_000
const rounds = 5

/** Linear: ten times the text takes ten times as long, whatever the text. */
export async function maskTable(): Promise<Table> {
  const rows: Table['rows'][number][] = []
  for (const [name, piece] of Object.entries(hostile)) {
    const small = await microsecondsPerKilobyte(piece, smallCharacters)
    const large = await microsecondsPerKilobyte(piece, largeCharacters)
    rows.push({
      name,
      'µs per KB, 26 KB': rounded(small),
      'µs per KB, 256 KB': rounded(large),
      ratio: rounded(large / small),
      aim: 'ratio ~ 1',
    })
  }
  return { title: 'masking what is volatile in a result, and reading a reply', rows }
}

async function microsecondsPerKilobyte(piece: string, size: number): Promise<number> {
  const text = piece.repeat(Math.ceil(size / piece.length)).slice(0, size)
  const ms: number[] = []
  for (let round = 0; round < rounds; round += 1)
    ms.push(
      await timed(() => {
        readOutcome(text, true)
        replyRecord(1, { text, calls: 0, claimed: false })
      }),
    )
  return (median(ms) * 1000) / (size / 1024)
}
