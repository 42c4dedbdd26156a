/**
 * `npm run bench:goal [-- --write]`: what 1,000 parts of a goal cost each decision, beside the same run without parts, in turn in
 * the same process. `--write` writes docs/measured/goal.md. Asserts nothing about time.
 */
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import type { NewEvent } from '@donecheck/core/internal/events'
import type { SubGoal } from '@donecheck/core/internal/goal'
import { decide } from '@donecheck/core/internal/decide'
import { evolve } from '@donecheck/core/internal/state'
import {
  checked,
  edited,
  failedVerdict,
  given,
  passedVerdict,
  runStarted,
  standardJudgement,
  stamp,
} from '@donecheck/core/testing'
import { modelCalled, workspaceObserved } from '@donecheck/core/internal/testing/facts'
import { microsecondsOf } from './gate-figures.ts'
import { markdownOf } from './gate-page.ts'
import { rounded, type Table } from './table.ts'

const parts = 1000
const rounds = 200
const checks = Array.from({ length: 100 }, (_, index) => `check ${index}`)
const checkOf = (index: number) => [checks[index % checks.length] ?? '']

function part(index: number, more: Partial<SubGoal> = {}): SubGoal {
  const base = { parentId: null, after: [], weight: 1, isProposed: false }
  return { id: `part-${index}`, title: `Part ${index}`, checks: checkOf(index), ...base, ...more }
}

const shapes: Readonly<Record<string, (index: number) => SubGoal>> = {
  'side by side': (index) => part(index),
  'one after the other': (index) => part(index, { after: index === 0 ? [] : [`part-${index - 1}`] }),
  'a tree, ten in each': (index) =>
    part(index, { parentId: index === 0 ? null : `part-${Math.floor((index - 1) / 10)}` }),
  'each in the one before': (index) => part(index, { parentId: index === 0 ? null : `part-${index - 1}` }),
  'a leaf on each of 500 levels': (index) =>
    part(index, { parentId: index < 2 ? null : `part-${index - (index % 2 === 0 ? 2 : 1)}` }),
  'no check for any of them': (index) => part(index, { checks: [] }),
}

/** Of one run at the moments at which something is decided. */
function statesOf(subGoals: readonly SubGoal[]) {
  const start: readonly NewEvent[] = [
    runStarted({ verifiers: checks }),
    { type: 'goal-set', task: 'Build the shop.', subGoals },
    workspaceObserved('tree-0'),
    ...checked('baseline', ...checks.map((name) => failedVerdict(name))),
  ]
  const turn = [...start, ...edited(1, 'tree-1')]
  const half = checks.map((name, index) => (index % 2 === 0 ? passedVerdict(name) : failedVerdict(name)))
  const red = [...turn, ...checked('change', ...half)]
  const green = [...turn, ...checked('change', ...checks.map((name) => passedVerdict(name)))]
  const change = { kind: 'objective-edited', objective: 'Build the shop, and soon.' } as const
  const changed: readonly NewEvent[] = [...red, { type: 'goal-changed', goalId: 'run-1', by: 'Mia', change }]
  const called = stamp([...start, modelCalled(1)]).at(-1)
  if (called === undefined) throw new Error('a stream has a last event')
  return {
    'before a turn': given(...start).state,
    'red checks': given(...red).state,
    'a changed goal': given(...changed).state,
    'green checks': given(...green).state,
    called,
  }
}

const inputs = [
  { name: 'no parts', ...statesOf([]) },
  ...Object.entries(shapes).map(([name, shape]) => ({
    name,
    ...statesOf(Array.from({ length: parts }, (_, index) => shape(index))),
  })),
]
type Input = (typeof inputs)[number]

const deciding =
  (moment: 'before a turn' | 'red checks' | 'a changed goal' | 'green checks') => (input: Input) =>
    decide(input[moment], standardJudgement)

const microseconds = await microsecondsOf<Input>(
  {
    'before a turn': deciding('before a turn'),
    'red checks': deciding('red checks'),
    'a changed goal': deciding('a changed goal'),
    'green checks': deciding('green checks'),
    'fold of a call': (input) => evolve(input['before a turn'], input.called),
  },
  inputs,
  rounds,
)

const table: Table = {
  title: `Milliseconds of one decision over ${parts.toLocaleString('en-US')} parts, median of ${rounds}`,
  rows: inputs.map(({ name }, index) => {
    const ms = Object.entries(microseconds).map(
      ([moment, times]) => [moment, (times[index] ?? 0) / 1000] as const,
    )
    const bare = Object.values(microseconds).map((times) => (times[0] ?? Number.NaN) / 1000)
    const slowest = Math.max(...ms.map(([, each]) => each))
    return {
      name,
      'slowest ms': rounded(slowest),
      ...Object.fromEntries(ms.map(([moment, each]) => [moment, rounded(each)])),
      'slowest, times no parts': rounded(slowest / Math.max(...bare), 1),
      aim: index === 0 ? '' : '< 1',
    }
  }),
}
console.log(table.title)
console.table(Object.fromEntries(table.rows.map(({ name, ...figures }) => [name, figures])))
if (process.argv.includes('--write')) writeFileSync('docs/measured/goal.md', page())

function page(): string {
  const [cpu] = cpus()
  return `# What the parts of a goal cost a decision

Made by \`npm run bench:goal -- --write\` on ${cpus().length} × ${cpu?.model.trim() ?? 'an unknown processor'}, Node ${process.version}. A run of ${checks.length} checks is
decided upon before a turn, after red checks, after a change of its goal that its agent has to be told of, and after green
checks; _fold of a call_ is the event that charges a turn to the part that is next. The first row is the same run without
parts. The aim is less than a millisecond for the slowest, with ${parts.toLocaleString('en-US')} parts, the most that a goal may have.

${markdownOf(table.rows)}
`
}
