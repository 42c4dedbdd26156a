import type { ParameterExpansionPart, Word } from 'unbash'
import { boundCandidates, separator, type Candidates } from './candidates.ts'
import type { Facts } from './facts.ts'
import { literalText } from './word.ts'

/**
 * What `$name` and `${name…}` may stand for, by what the line says of it. A name that the line does not set
 * may well be empty. Undefined: it cannot be told.
 */
export function parameterCandidates(part: ParameterExpansionPart, facts: Facts): Candidates {
  const { parameter, prefix, index, operation } = part
  if (prefix === '#') return undefined
  const named = prefix === '!' ? indirect(parameter, facts) : elementsOf(parameter, index, facts)
  const values = named ?? (operation?.type === 'Default' ? [] : [''])
  if (operation === undefined) return values
  return boundCandidates(applyOperation(values, operation) ?? [])
}

/** `$x`, `$1`, `$@`. */
export function simpleCandidates(text: string, facts: Facts): Candidates {
  const name = text.replaceAll('\\\n', '').slice(1)
  return /^[?$!#-]$/.test(name) ? undefined : (elementsOf(name, undefined, facts) ?? [''])
}

function indirect(name: string, facts: Facts): readonly string[] | undefined {
  return elementsOf(name, undefined, facts)?.flatMap((other) => elementsOf(other, undefined, facts) ?? [])
}

function elementsOf(name: string, index: Word | undefined, facts: Facts): readonly string[] | undefined {
  const lists = listsOf(name, facts)
  if (lists === undefined || lists.length === 0) return undefined
  const place = index === undefined ? undefined : literalText(index)
  if (name === '*' || place === '*') return lists.map((elements) => elements.join(' '))
  if (name === '@' || place === '@') return lists.map((elements) => elements.join(separator))
  const position = /^\d+$/.test(name) ? Number(name) - 1 : Number(place ?? 0)
  return lists.map((elements) => elements.at(position) ?? '')
}

function listsOf(
  name: string,
  { variables, positional, zeroth }: Facts,
): readonly (readonly string[])[] | undefined {
  if (name === '0') return zeroth === undefined ? undefined : [[zeroth]]
  if (name === '@' || name === '*') return positional
  if (/^\d+$/.test(name)) return positional
  return variables.get(name)
}

type Operation = NonNullable<ParameterExpansionPart['operation']>

function applyOperation(values: readonly string[], operation: Operation): readonly string[] | undefined {
  switch (operation.type) {
    case 'Default': {
      const operand = literalText(operation.operand)
      const others = operand === null ? [] : [operand]
      return operation.operator.includes('+') ? [...others, ''] : [...values, ...others]
    }
    case 'CaseModification':
      return operation.operand === undefined
        ? values.map((value) => changeCase(value, operation.operator))
        : undefined
    case 'Replace':
      return withLiterals([operation.pattern, operation.replacement], ([from = '', to = '']) =>
        values.map((value) =>
          operation.operator === '//' ? value.replaceAll(from, to) : value.replace(from, to),
        ),
      )
    case 'Remove':
      return withLiterals([operation.operand], ([end = '']) =>
        values.map((value) => withoutEnd(value, end, operation.operator.startsWith('#'))),
      )
    case 'Slice':
      return withLiterals(
        [operation.offset, ...(operation.length === undefined ? [] : [operation.length])],
        (numbers) => values.map((value) => sliceValue(value, numbers.map(Number))),
      )
    case 'Transform':
    case 'Names':
    case 'Unknown':
      return undefined
  }
}

function changeCase(value: string, operator: '^' | '^^' | ',' | ',,'): string {
  const to = (text: string) => (operator.startsWith('^') ? text.toUpperCase() : text.toLowerCase())
  return operator.length === 2 ? to(value) : to(value.slice(0, 1)) + value.slice(1)
}

function withoutEnd(value: string, end: string, isStart: boolean): string {
  if (isStart) return value.startsWith(end) ? value.slice(end.length) : value
  return value.endsWith(end) ? value.slice(0, value.length - end.length) : value
}

function sliceValue(value: string, [offset = 0, length = value.length]: readonly number[]): string {
  const from = offset < 0 ? Math.max(0, value.length + offset) : offset
  return length < 0 ? value.slice(from, length) : value.slice(from, from + length)
}

function withLiterals(
  words: readonly Word[],
  use: (texts: readonly string[]) => readonly string[],
): readonly string[] | undefined {
  const texts = words.map((word) => literalText(word)?.trim() ?? null)
  return texts.every((text) => text !== null) ? use(texts) : undefined
}
