/** Operators between values. */
import { compare, contains, isEqual } from './compare.ts'
import { formatPercent } from './format.ts'
import { allItems, checkChangeable } from './items.ts'
import type { Machine } from './machine.ts'
import {
  isKind,
  isSequence,
  isTrue,
  listOf,
  tupleOf,
  typeOf,
  type ListValue,
  type TupleValue,
  type Value,
} from './value.ts'

/** All but `and` and `or`, which may leave their right side alone. @throws SourceFault */
export function applyBinary(operator: string, left: Value, right: Value, machine: Machine): Value {
  switch (operator) {
    case '==':
      return isEqual(left, right, machine)
    case '!=':
      return !isEqual(left, right, machine)
    case '<':
      return compare(left, right, machine) < 0
    case '<=':
      return compare(left, right, machine) <= 0
    case '>':
      return compare(left, right, machine) > 0
    case '>=':
      return compare(left, right, machine) >= 0
    case 'in':
      return contains(right, left, machine)
    case 'not in':
      return !contains(right, left, machine)
    default:
      return applyArithmetic(operator, left, right, machine)
  }
}

/** `target operator= value`: a list is changed in its place, everything else is made anew. */
export function applyChange(operator: string, left: Value, right: Value, machine: Machine): Value {
  if (operator !== '+' || !isKind(left, 'list')) return applyBinary(operator, left, right, machine)
  const added = allItems(right, machine)
  checkChangeable(left, machine)
  for (const item of added) left.items.push(item)
  return left
}

export function applyUnary(operator: '-' | '+' | 'not', operand: Value, machine: Machine): Value {
  if (operator === 'not') return !isTrue(operand)
  if (typeof operand !== 'number')
    throw machine.fault(`'${operator}' cannot be applied to a ${typeOf(operand)}`)
  return operator === '-' ? integer(-operand, machine) : operand
}

function applyArithmetic(operator: string, left: Value, right: Value, machine: Machine): Value {
  if (typeof left === 'number' && typeof right === 'number') return calculate(operator, left, right, machine)
  if (operator === '%' && typeof left === 'string') return formatPercent(left, right, machine)
  const joined = operator === '+' ? join(left, right, machine) : undefined
  const repeated = operator === '*' ? repeat(left, right, machine) : undefined
  const result = joined ?? repeated
  if (result === undefined)
    throw machine.fault(`'${operator}' cannot be applied to ${typeOf(left)} and ${typeOf(right)}`)
  return result
}

function calculate(operator: string, left: number, right: number, machine: Machine): number {
  if ((operator === '//' || operator === '%') && right === 0) throw machine.fault('division by zero')
  switch (operator) {
    case '+':
      return integer(left + right, machine)
    case '-':
      return integer(left - right, machine)
    case '*':
      return integer(left * right, machine)
    case '//':
      return integer(Math.floor(left / right), machine)
    case '%':
      return integer(((left % right) + right) % right, machine)
    default:
      throw machine.fault(`the operator '${operator}' is not understood here`)
  }
}

function integer(value: number, machine: Machine): number {
  if (!Number.isSafeInteger(value)) throw machine.fault('a number beyond 2^53 is not understood here')
  return value + 0
}

function join(left: Value, right: Value, machine: Machine): Value | undefined {
  if (typeof left === 'string' && typeof right === 'string') {
    machine.make(left.length + right.length)
    return left + right
  }
  if (!isSequence(left) || !isSequence(right) || left.kind !== right.kind) return undefined
  machine.make(left.items.length + right.items.length)
  return sequenceLike(left, [...left.items, ...right.items])
}

/** Either way round; a number below 1 gives nothing. */
function repeat(left: Value, right: Value, machine: Machine): Value | undefined {
  const [times, value] = typeof left === 'number' ? [left, right] : [right, left]
  if (typeof times !== 'number') return undefined
  const count = Math.max(0, times)
  if (typeof value === 'string') {
    machine.make(value.length * count)
    return value.repeat(value === '' ? 0 : count)
  }
  if (!isSequence(value)) return undefined
  machine.make(value.items.length * count)
  const length = value.items.length
  return sequenceLike(
    value,
    Array.from(
      { length: length * (length === 0 ? 0 : count) },
      (_, index) => value.items[index % length] ?? null,
    ),
  )
}

function sequenceLike(like: ListValue | TupleValue, items: readonly Value[]): Value {
  return like.kind === 'list' ? listOf(items) : tupleOf(items)
}
