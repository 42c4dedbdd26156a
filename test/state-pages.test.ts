/** The tables and pictures of states in the docs are those of the code. UPDATE_RECORDINGS=1 writes what is generated. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { format } from 'prettier'
import { goalEvents, goalMoves, goalStatuses } from '@donecheck/core/internal/goal'
import { exitCodeOf, outcomeOf, stopOrder } from '@donecheck/core/internal/decide/stops'
import { repositoryRoot } from './architecture/read-tree.ts'

const goalsPage = path.join(repositoryRoot, 'docs/guide/goals.md')
const statesPage = path.join(repositoryRoot, 'docs/reference/verdicts.md')

async function expectTable(page: string, mark: string, rows: readonly (readonly string[])[]) {
  const [head = [], ...others] = rows
  const lines = [head, head.map(() => '---'), ...others].map((cells) => `| ${cells.join(' | ')} |`)
  const block = `<!-- ${mark} -->\n\n${lines.join('\n')}\n\n<!-- /${mark} -->`
  const table = (await format(block, { parser: 'markdown' })).trim()
  const text = readFileSync(page, 'utf8')
  const marked = new RegExp(`<!-- ${mark} -->[\\s\\S]*<!-- /${mark} -->`)
  if (process.env['UPDATE_RECORDINGS'] === '1')
    writeFileSync(
      page,
      text.replace(marked, () => table),
    )
  expect(readFileSync(page, 'utf8')).toContain(table)
}

it('given the guide to goals, then its table is that of the code', () =>
  expectTable(goalsPage, 'states', [
    ['event', ...goalStatuses],
    ...goalEvents.map((event) => [event, ...goalStatuses.map((status) => goalMoves[status][event])]),
  ]))

it('given the page of states, then reasons stand in the order of the code, with outcome and exit code', () =>
  expectTable(statesPage, 'stop-order', [
    ['', 'reason', 'outcome', 'exit'],
    ...stopOrder.map((rank, index) => {
      const reason = reasonOfRank(rank)
      const outcome = outcomeOf[reason]
      return [`${index + 1}`, `\`${reason}\`${notes[rank] ?? ''}`, outcome, `${exitCodeOf[outcome]}`]
    }),
  ]))

type Rank = (typeof stopOrder)[number]
const notes: Partial<Record<Rank, string>> = {
  tampered: ' by tampering',
  hard_cap_count: ' on turns, calls, tokens or cost',
  hard_cap_wall_clock: ' on time',
}

function reasonOfRank(rank: Rank): keyof typeof outcomeOf {
  if (rank === 'hard_cap_count' || rank === 'hard_cap_wall_clock') return 'hard_cap'
  return rank === 'tampered' ? 'verifier_failed_unrecoverable' : rank
}

it('given the picture of a goal, then every arrow is a move of the table', () => {
  const arrows = readFileSync(statesPage, 'utf8').matchAll(/^ {2}([\w-]+) --> ([\w-]+): ([\w-]+)$/gm)
  const drawn = [...arrows].filter(([, from = '']) => goalStatuses.some((status) => status === from))
  const moved = drawn.map(([line, from, , event]) => {
    const status = goalStatuses.find((each) => each === from)
    const fact = goalEvents.find((each) => each === event)
    return status === undefined || fact === undefined
      ? `${line}?`
      : `  ${status} --> ${goalMoves[status][fact]}: ${fact}`
  })
  expect(moved).toEqual(drawn.map(([line]) => line))
  expect(new Set(drawn.flatMap(([, from, to]) => [from, to]))).toEqual(
    new Set(goalStatuses.filter((status) => status !== 'usage-limited')),
  )
})
