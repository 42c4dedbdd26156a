/** The table of states in the guide is the one that the code has. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { format } from 'prettier'
import { goalEvents, goalMoves, goalStatuses } from '@donecheck/core/goal'
import { repositoryRoot } from './architecture/read-tree.ts'

const page = path.join(repositoryRoot, 'docs/guide/goals.md')
const marked = /<!-- states -->[\s\S]*<!-- \/states -->/

function tableOfStates(): Promise<string> {
  const rows = goalEvents.map((event) => [event, ...goalStatuses.map((status) => goalMoves[status][event])])
  const head = ['event', ...goalStatuses]
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return format(`<!-- states -->\n\n${lines.join('\n')}\n\n<!-- /states -->`, { parser: 'markdown' })
}

it('given the guide to goals, then its table is that of the code (UPDATE_RECORDINGS=1 writes it)', async () => {
  const table = (await tableOfStates()).trim()
  const text = readFileSync(page, 'utf8')
  if (process.env['UPDATE_RECORDINGS'] === '1') writeFileSync(page, text.replace(marked, table))
  expect(readFileSync(page, 'utf8')).toContain(table)
})
