import { assembleContext } from '@donecheck/engine/judge'
import { longStream } from './long-stream.ts'
import { median, rounded, timed, type Table } from './table.ts'

const length = 10_000

/** What a judge costs beside the call of its model. */
export async function judgeContextTable(): Promise<Table> {
  const events = longStream(length)
  const judged = { task: 'write a parser', answer: 'It is written.', events, rules: [], changes: undefined }
  const ms: number[] = []
  for (let round = 0; round < 15; round += 1)
    ms.push(
      await timed(() => {
        assembleContext(judged, 32_000)
      }),
    )
  return {
    title: `context of a judge from ${length.toLocaleString('en-US')} events, median of 15`,
    rows: [{ name: 'assembleContext', ms: rounded(median(ms)), aim: '< 5 ms' }],
  }
}
