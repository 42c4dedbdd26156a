/** The goal of the run and its parts, as a tree. */
import type { JSX } from 'preact'
import { progressOf } from '@donecheck/core/goal'
import { hasPassed } from '@donecheck/core/state'
import { goalRows } from '../../fold/index.ts'
import { Badge, Block, Meter, Text } from '../../parts/index.ts'
import type { TabProps } from './tab.ts'

export function GoalTab({ feed }: TabProps): JSX.Element {
  const { state } = feed.shown.value.view
  if (state === undefined) return <p class="quiet">Reading its events …</p>
  const { closed, leaves, share } = progressOf(state.goal, hasPassed(state))
  const rows = goalRows(state)
  return (
    <>
      <h2>
        Goal <Badge tone={state.goal.status === 'complete' ? 'good' : 'quiet'}>{state.goal.status}</Badge>
      </h2>
      <Block value={state.task} />
      {share !== null && (
        <Meter label="closed" isLimit={false} share={share} words={`${closed} of ${leaves} parts`} />
      )}
      {rows.length === 0 && <p class="quiet">It has no parts.</p>}
      <ul class="goal">
        {rows.map(({ id, title, depth, status, isProposed, checks }) => (
          <li key={id} style={{ marginInlineStart: `${depth * 1.5}rem` }}>
            <Badge tone={status === 'closed' ? 'good' : status === 'next' ? 'live' : 'quiet'}>{status}</Badge>
            <Text value={title} />
            {isProposed && <span class="quiet">proposed by the drive</span>}
            <span class="quiet">
              <Text value={checks.join(', ')} />
            </span>
          </li>
        ))}
      </ul>
    </>
  )
}
