/** Functions that a rule file defines, and calls of any function. */
import type { Expression, ExpressionReader } from './expression.ts'
import { Scope } from './scope.ts'
import { SourceFault, type Position } from './source-fault.ts'
import { Dict, Tuple, typeOf, type Arguments, type Callable, type Value } from './value.ts'

/** How a statement ends: undefined: the next one follows. */
export type Ending = undefined | 'break' | 'continue' | { readonly value: Value }

interface Parameter {
  readonly name: string
  readonly sign: '' | '*' | '**'
  /** Evaluated where the function is defined. */
  readonly standard: Expression | undefined
  readonly at: Position
}

export function call(callee: Value, given: Arguments, at: Position, scope: Scope): Value {
  scope.meter.step(at)
  if (typeof callee !== 'object' || callee === null || !('call' in callee))
    throw new SourceFault(at, `a ${typeOf(callee)} cannot be called`)
  return callee.call(given, at)
}

/** Parameters up to and with `closing`, then the body. */
export function readFunction(
  parser: ExpressionReader,
  name: string,
  closing: string,
  readBody: () => (scope: Scope) => Ending,
): Expression {
  const parameters = readParameters(parser, closing)
  const own = new Set(parameters.map((parameter) => parameter.name))
  parser.bound.push(own)
  const body = readBody()
  parser.bound.pop()
  return (scope) => {
    const standards = parameters.map(({ standard }) => standard?.(scope))
    return {
      kind: 'function',
      name,
      call: (given, at) => {
        const inner = new Scope(scope, scope.meter, own)
        bindArguments(inner, parameters, standards, given, { name, at })
        const ending = scope.meter.nested(at, () => body(inner))
        return typeof ending === 'object' ? ending.value : null
      },
    } satisfies Callable
  }
}

function readParameters(parser: ExpressionReader, closing: string): readonly Parameter[] {
  const { reader } = parser
  const parameters: Parameter[] = []
  while (!reader.skip(closing)) {
    const at = reader.next
    const sign = reader.skip('**') ? '**' : reader.skip('*') ? '*' : ''
    const name = sign === '*' && reader.isAt(',') ? '' : reader.takeName()
    if (name !== '' && parameters.some((other) => other.name === name))
      throw new SourceFault(at, `'${name}' is given twice`)
    if (closing === ')' && reader.skip(':')) reader.takeName()
    const standard = sign === '' && reader.skip('=') ? parser.read() : undefined
    parameters.push({ name, sign, standard, at })
    if (!reader.isAt(closing)) reader.expect(',')
  }
  return parameters
}

function bindArguments(
  scope: Scope,
  parameters: readonly Parameter[],
  standards: readonly (Value | undefined)[],
  { values, named }: Arguments,
  { name: callee, at }: { readonly name: string; readonly at: Position },
): void {
  const left = [...values]
  const rest = new Map(named)
  let isByName = false
  for (const [index, { name, sign }] of parameters.entries()) {
    if (sign === '*') {
      isByName = true
      if (name !== '') scope.bind(name, new Tuple(left.splice(0)))
    } else if (sign === '**') {
      const others = new Dict()
      for (const [key, value] of rest) others.set(key, value, at)
      rest.clear()
      scope.bind(name, others)
    } else {
      const value = isByName ? undefined : left.shift()
      if (value !== undefined && rest.has(name)) throw new SourceFault(at, `'${name}' is given twice`)
      const bound =
        value ?? (value === null ? null : (rest.get(name) ?? (rest.has(name) ? null : standards[index])))
      if (bound === undefined) throw new SourceFault(at, `${callee} wants '${name}'`)
      rest.delete(name)
      scope.bind(name, bound)
    }
  }
  const [unknown] = rest.keys()
  if (unknown !== undefined) throw new SourceFault(at, `no parameter is named '${unknown}'`)
  if (left.length > 0) throw new SourceFault(at, `${callee} is given ${left.length} arguments too many`)
}
