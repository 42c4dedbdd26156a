import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Service } from '../../data/index.ts'
import { Failure, messageOf } from '../../parts/index.ts'

interface ChangeGoalProps {
  readonly service: Pick<Service, 'changeObjective'>
  readonly runId: string
  readonly objective: string
}

/** Requests a new objective; the run applies it before its next turn, or when it is resumed. */
export function ChangeGoal({ service, runId, objective }: ChangeGoalProps): JSX.Element {
  const text = useSignal(objective)
  const note = useSignal('')
  const failure = useSignal('')
  const request = async () => {
    failure.value = ''
    try {
      await service.changeObjective(runId, text.value.trim())
      note.value = 'Requested. The run applies it before its next turn, or when you resume it.'
    } catch (error) {
      failure.value = messageOf(error)
    }
  }
  return (
    <details class="change-goal">
      <summary>Change the goal</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void request()
        }}
      >
        <label>
          Objective
          <textarea
            required
            rows={4}
            value={text.value}
            onInput={({ currentTarget }) => (text.value = currentTarget.value)}
          />
        </label>
        <button type="submit" class="main" disabled={['', objective].includes(text.value.trim())}>
          Send to the run
        </button>
        {note.value !== '' && <p role="status">{note.value}</p>}
        {failure.value !== '' && <Failure message={failure.value} />}
      </form>
    </details>
  )
}
