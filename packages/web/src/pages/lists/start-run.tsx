import { useSignal, type Signal } from '@preact/signals'
import type { JSX } from 'preact'
import type { Service } from '../../data/index.ts'
import { Failure, go, messageOf } from '../../parts/index.ts'

/** A form that starts a run in the project of the service. Empty fields leave the choice to the project's configuration. */
export function StartRun({ service }: { readonly service: Pick<Service, 'start'> }): JSX.Element {
  const task = useSignal('')
  const agent = useSignal('')
  const check = useSignal('')
  const failure = useSignal('')
  const isStarting = useSignal(false)
  const start = async () => {
    isStarting.value = true
    failure.value = ''
    try {
      const { runId } = await service.start({
        task: task.value,
        ...(agent.value.trim() === '' ? {} : agentChoice(agent.value.trim())),
        ...(check.value.trim() === '' ? {} : { until: [check.value.trim()] }),
      })
      go(`/runs/${encodeURIComponent(runId)}`)
    } catch (error) {
      failure.value = messageOf(error)
    } finally {
      isStarting.value = false
    }
  }
  return (
    <details class="start-run">
      <summary>New run</summary>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void start()
        }}
      >
        <label>
          Task
          <textarea
            required
            rows={3}
            placeholder="Fix the failing test."
            value={task.value}
            onInput={({ currentTarget }) => (task.value = currentTarget.value)}
          />
        </label>
        <Field
          label="Agent or model"
          placeholder="claude, codex, openai/gpt-5 (default: from the project's configuration)"
          text={agent}
        />
        <Field label="Check" placeholder="npm test (default: the project's own tests)" text={check} />
        <button type="submit" class="main" disabled={isStarting.value || task.value.trim() === ''}>
          {isStarting.value ? 'Starting…' : 'Start the run'}
        </button>
        {failure.value !== '' && <Failure message={failure.value} />}
      </form>
    </details>
  )
}

interface FieldProps {
  readonly label: string
  readonly placeholder: string
  readonly text: Signal<string>
}

function Field({ label, placeholder, text }: FieldProps): JSX.Element {
  return (
    <label>
      {label}
      <input
        placeholder={placeholder}
        value={text.value}
        onInput={({ currentTarget }) => (text.value = currentTarget.value)}
      />
    </label>
  )
}

/** `provider/model` is a model; anything else is the command line of an agent. */
function agentChoice(text: string): { readonly model: string } | { readonly agent: string } {
  return /^[a-z][\w-]*\/\S+$/.test(text) ? { model: text } : { agent: text }
}
