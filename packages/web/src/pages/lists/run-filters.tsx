/** Which runs are listed. The address holds it, so that a link leads to the same list. */
import { outcomes, stopReasons } from '@donecheck/core/transitions'
import type { JSX } from 'preact'
import type { RunsQuery } from '../../data/index.ts'
import { setQuery } from '../../parts/index.ts'

export function RunFilters({ query }: { readonly query: RunsQuery }): JSX.Element {
  return (
    <search class="filters">
      <input
        id="search"
        type="search"
        placeholder="Search tasks  /"
        aria-label="Search tasks"
        value={query.text}
        onInput={({ currentTarget }) => setQuery({ text: currentTarget.value })}
        onKeyDown={({ key, currentTarget }) => key === 'Escape' && currentTarget.blur()}
      />
      <Choice name="outcome" chosen={query.outcome} choices={outcomes} />
      <Choice name="reason" chosen={query.reason} choices={stopReasons} />
      <input
        type="text"
        placeholder="Label"
        aria-label="Label"
        class="short"
        defaultValue={query.label}
        onChange={({ currentTarget }) => setQuery({ label: currentTarget.value })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={query.open}
          onChange={({ currentTarget }) => setQuery({ open: currentTarget.checked ? '1' : '' })}
        />
        running
      </label>
    </search>
  )
}

interface ChoiceProps {
  readonly name: string
  readonly chosen: string
  readonly choices: readonly string[]
}

function Choice({ name, chosen, choices }: ChoiceProps): JSX.Element {
  return (
    <select
      aria-label={name}
      value={chosen}
      onChange={({ currentTarget }) => setQuery({ [name]: currentTarget.value })}
    >
      <option value="">any {name}</option>
      {choices.map((choice) => (
        <option value={choice}>{choice}</option>
      ))}
    </select>
  )
}
