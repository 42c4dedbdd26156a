/** Small runs made by hand, for tests. */
import type { RecordedRun, RecordedTurn } from './recorded-run.ts'

/** `tool args result`, as words; a result of `?` is not known. */
export function madeTurn(calls: readonly string[], rest: Partial<RecordedTurn> = {}): RecordedTurn {
  return { text: '', toolCalls: calls.map(madeCall), ...rest }
}

function madeCall(words: string): RecordedTurn['toolCalls'][number] {
  const [name = '', args = '', result = ''] = words.split(' ')
  const known = result === '?' ? null : result
  return {
    name,
    args: { command: args },
    argsDigest: `a-${args}`,
    result: known,
    resultDigest: known,
    isError: null,
  }
}

/** A run whose every call is a turn of its own. */
export function madeRun(calls: readonly string[], rest: Partial<RecordedRun> = {}): RecordedRun {
  return {
    id: 'made/1',
    file: 'made',
    model: 'gpt-3.5',
    agent: 'made by hand',
    outcome: { resolved: true },
    exit: null,
    turns: calls.map((call) => madeTurn([call])),
    ...rest,
  }
}
