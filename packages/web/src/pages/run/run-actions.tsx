/** What a person may do with a run: stop it, go on with it, give it more. */
import { topUpOf } from '@donecheck/core/decide'
import { resumableOutcomes } from '@donecheck/core/stops'
import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { SourceError, type RunItem, type Service } from '../../data/index.ts'
import { isOpen, readTopUp } from '../../fold/index.ts'
import { Failure, messageOf } from '../../parts/index.ts'
import type { RunFeed } from './run-feed.ts'

/** Of whoever may start and stop runs. */
export type Control = Pick<Service, 'cancel' | 'resume'>

interface ActionsProps {
  readonly control: Control
  readonly feed: RunFeed
  readonly run: RunItem
}

export function RunActions({ control, feed, run }: ActionsProps): JSX.Element {
  const failure = useSignal('')
  const act = async (action: () => Promise<void>) => {
    failure.value = ''
    try {
      await action()
      await feed.reload()
      feed.follow()
    } catch (error) {
      failure.value = messageOf(error)
    }
  }
  return (
    <div class="actions">
      {isOpen(run) ? (
        <button
          type="button"
          onClick={() => void act(() => control.cancel(run.runId, 'cancelled on the page'))}
        >
          Cancel
        </button>
      ) : (
        <Resume feed={feed} resume={(typed) => void act(() => resumeWith(typed, run.runId, control))} />
      )}
      {failure.value !== '' && <Failure message={failure.value} />}
    </div>
  )
}

/** @throws {SourceError} for a top-up that cannot be read */
async function resumeWith(typed: string, runId: string, control: Control): Promise<void> {
  const read = readTopUp(typed)
  if (read.kind === 'unreadable') throw new SourceError(read.message)
  await control.resume(runId, read.topUp)
}

interface ResumeProps {
  readonly feed: RunFeed
  readonly resume: (typed: string) => void
}

function Resume({ feed, resume }: ResumeProps): JSX.Element {
  const typed = useSignal<string | undefined>(undefined)
  const { state } = feed.shown.value.view
  if (state?.phase.kind !== 'stopped') return <></>
  const { transition } = state.phase
  const suggested = topUpOf(state, transition)
  if (suggested === undefined && !resumableOutcomes.includes(transition.outcome)) return <></>
  const topUp = typed.value ?? suggested ?? ''
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        resume(topUp)
      }}
    >
      <input
        class="short"
        aria-label="Top up, such as turns=45"
        placeholder="turns=45"
        value={topUp}
        onInput={({ currentTarget }) => (typed.value = currentTarget.value)}
      />
      <button type="submit" class="main">
        {topUp === '' ? 'Resume' : 'Top up and resume'}
      </button>
    </form>
  )
}
