import type { Alarm, Watcher } from '../insight/backtest/index.ts'
import type { RecordedRun, RecordedTurn } from '../insight/recordings/index.ts'

/** Parses `tool args result`; a result of `?` is unknown. */
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

/** A run with one call per turn. */
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

/** Raises scripted alarms by call index; does not observe after its first stop. */
export function scriptedWatcher(name: string, alarms: Readonly<Record<number, Alarm>>): Watcher {
  return {
    name,
    begin() {
      let isOver = false
      return {
        observe(step) {
          if (isOver) throw new Error(`'${name}' was shown a step after its stop`)
          if (step.kind !== 'call') return undefined
          const alarm = alarms[step.index]
          isOver = alarm?.level === 'stop'
          return alarm
        },
      }
    },
  }
}
