/**
 * A rule file, run as Codex runs it: Starlark with functions, loops, comprehensions and f-strings. It reaches no file, clock or
 * network, and comes to an end: its steps and the size of its values are bounded. What is not understood is a fault.
 */
import { Parser } from './parser.ts'
import { Meter, Scope } from './scope.ts'
import { SourceFault, type Position } from './tokens.ts'
import { type Arguments, type Callable, functions, type Value } from './values.ts'

export interface Call extends Position, Arguments {
  readonly name: string
}

/** @returns the calls of the functions with these names, in the order in which they happen. @throws {SourceFault} */
export function readCalls(text: string, names: readonly string[]): readonly Call[] {
  const program = new Parser(text).readProgram()
  const calls: Call[] = []
  const universe = new Scope(null, new Meter())
  for (const [name, value] of [['True', true], ['False', false], ['None', null]] as const) universe.bind(name, value) // prettier-ignore
  const define = (name: string, call: Callable['call']) =>
    universe.bind(name, { kind: 'function', name, call })
  for (const [name, run] of Object.entries(functions))
    define(name, ({ values, named }, at) => {
      const result = named.size > 0 ? undefined : run(values, at)
      if (result === undefined) throw new SourceFault(at, `'${name}' is not understood with these arguments`)
      return result
    })
  for (const name of names)
    define(name, ({ values, named }, { line, column }) => {
      const kept = new Map([...named].map(([key, value]) => [key, copyOf(value)]))
      calls.push({ name, line, column, values: values.map(copyOf), named: kept })
      return null
    })
  program(new Scope(universe, universe.meter))
  return calls
}

/** A list may change after the call. */
function copyOf(value: Value): Value {
  return Array.isArray(value) ? value.map(copyOf) : value
}
