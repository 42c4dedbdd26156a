import { fold } from '@donecheck/core/internal/state'
import { longStream } from './long-stream.ts'
import { median, rounded, timed, type Table } from './table.ts'

const length = 100_000

export async function foldTable(): Promise<Table> {
  const events = longStream(length)
  const ms: number[] = []
  for (let round = 0; round < 7; round += 1) ms.push(await timed(() => fold(events)))
  return {
    title: `fold of ${length.toLocaleString('en-US')} events, median of 7`,
    rows: [
      {
        name: 'fold',
        ms: rounded(median(ms), 1),
        'µs per event': rounded((median(ms) * 1000) / length),
        aim: '< 100 ms',
      },
    ],
  }
}
