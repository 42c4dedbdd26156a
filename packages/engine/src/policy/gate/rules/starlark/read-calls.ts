/**
 * A rule file, run as Codex runs it: Starlark with functions, loops, comprehensions and f-strings. It reaches no file, clock or
 * network, and comes to an end: its steps and the size of its values are bounded.
 */
import { builtins } from './builtins.ts'
import { Meter, Scope } from './scope.ts'
import type { Position } from './source-fault.ts'
import { readProgram } from './statements.ts'
import type { Arguments, Callable, Value } from './value.ts'

export interface Call extends Position, Arguments {
  readonly name: string
}

/** The calls of `functions`, in the order in which they happen. @throws SourceFault for all that is not understood */
export function readCalls(text: string, functions: readonly string[]): readonly Call[] {
  const program = readProgram(text)
  const calls: Call[] = []
  const meter = new Meter()
  const universe = new Scope(null, meter)
  for (const [name, value] of builtins(meter)) universe.bind(name, value)
  for (const name of functions) {
    const call: Callable['call'] = ({ values, named }, { line, column }) => {
      const kept = new Map([...named].map(([key, value]) => [key, copyOf(value)]))
      calls.push({ name, line, column, values: values.map(copyOf), named: kept })
      return null
    }
    universe.bind(name, { kind: 'function', name, call })
  }
  program(new Scope(universe, meter))
  return calls
}

/** A list may change after the call. */
function copyOf(value: Value): Value {
  return Array.isArray(value) ? value.map(copyOf) : value
}
