/** What the drive changed, call by call, as far as its calls tell. */
import type { JSX } from 'preact'
import { useSignal } from '@preact/signals'
import type { Change } from '../../fold/index.ts'
import { Diff, Text } from '../../parts/index.ts'
import { openTab, type TabProps } from './tab.ts'

/** Laid out at once. */
const pageLength = 50

export function ChangesTab({ feed }: TabProps): JSX.Element {
  const shown = useSignal(pageLength)
  const { changes } = feed.shown.value.view
  if (changes.length === 0)
    return (
      <p class="nothing">
        No call that is on record says what it changed. The work folder may still be another: its tree
        decides.
      </p>
    )
  return (
    <>
      {changes.slice(0, shown.value).map((change) => (
        <ChangeBlock key={`${change.sequence} ${change.path}`} change={change} />
      ))}
      {shown.value < changes.length && (
        <button type="button" onClick={() => (shown.value += pageLength)}>
          Show more of {changes.length} changes
        </button>
      )}
    </>
  )
}

function ChangeBlock({ change: { path, turn, sequence, lines } }: { readonly change: Change }): JSX.Element {
  const count = (kind: string) => lines.filter((line) => line.kind === kind).length
  return (
    <details class="change" open>
      <summary>
        <code>
          <Text value={path} />
        </code>
        <span class="good figure">+{count('added')}</span> <span class="bad figure">−{count('removed')}</span>
      </summary>
      <p>
        <button type="button" class="link" onClick={() => openTab('events', String(sequence))}>
          turn {turn}
        </button>
      </p>
      <Diff lines={lines} />
    </details>
  )
}
