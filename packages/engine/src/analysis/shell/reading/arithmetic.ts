import type {
  ArithmeticWord,
  Assignment,
  ParameterExpansionPart,
  TestBinaryExpression,
  TestUnaryExpression,
  Word,
  WordPart,
} from 'unbash'
import { addObstacle, addSecondText, formatText, spanOf, type ReadingContext } from '../reading-state.ts'
import { isNumber } from '../words/numbers.ts'
import { resolveText } from '../words/resolve.ts'
import { literalRemains } from '../words/word.ts'

/*
 * Arithmetic is code: subscripts in it, and in the values of its names, are expanded once more, where `a[$(program)]` runs
 * something, however it is quoted. So nothing is known of arithmetic but that of numbers.
 */

export function readArithmetic({ value, parts, pos, end }: ArithmeticWord, place: ReadingContext): void {
  readEvaluated({ text: value, parts, pos, end }, place)
}

/** `${x:offset:length}`, `${x[index]}`, `${!x}`, which evaluates what stands in the variable. */
export function readParameterArithmetic(node: ParameterExpansionPart, place: ReadingContext): void {
  const { index, operation, prefix } = node
  if (index !== undefined) readIndex(index, place)
  if (prefix === '!' && index === undefined && operation?.type !== 'Names') readEvaluated(node, place)
  if (operation?.type !== 'Slice') return
  for (const word of [operation.offset, operation.length]) if (word !== undefined) readEvaluated(word, place)
}

/** `name[index]=value`, `name=([index]=value)`. */
export function readSubscripts({ index, value }: Assignment, place: ReadingContext): void {
  if (index !== undefined) readIndex(index, place)
  if (value.type !== 'ArrayValue') return
  for (const element of value.elements) if (/^\[.*\]\+?=/s.test(element.text)) readEvaluated(element, place)
}

function readIndex(index: Word, place: ReadingContext): void {
  if (index.text !== '@' && index.text !== '*') readEvaluated(index, place)
}

/** `[[ a -eq b ]]`, whose sides are arithmetic. */
export function readComparison({ operator, left, right }: TestBinaryExpression, place: ReadingContext): void {
  if (!/^-(eq|ne|lt|le|gt|ge)$/.test(operator)) return
  readEvaluated(left, place)
  readEvaluated(right, place)
}

/** `[[ -v name[index] ]]`. */
export function readTest({ operator, operand }: TestUnaryExpression, place: ReadingContext): void {
  if (/^-[vR]$/.test(operator) && !/^\w+$/.test(operand.text)) readEvaluated(operand, place)
}

/** A part of the line, as it stands there. */
export interface Written {
  readonly text: string
  readonly parts?: readonly WordPart[] | undefined
  readonly pos: number
  readonly end: number
}

/** A part of the line that a shell evaluates as arithmetic. */
export function readEvaluated(node: Written, place: ReadingContext): void {
  const { text, parts } = node
  const { facts } = place
  if (isNumber(text.replace(/^\[(.*)\]\+?=-?\d*$/s, '$1'), facts.numbers)) return
  const reason = `"${formatText(text)}" is evaluated as arithmetic, which runs what stands in a subscript`
  addObstacle('dynamic-script', reason, spanOf(node, place), place, text)
  const values = (text.match(/[A-Za-z_]\w*/g) ?? []).flatMap((name) =>
    (facts.variables.get(name) ?? []).flat(),
  )
  const texts = [literalRemains(parts, text), ...resolveText({ parts, text }, facts), ...values]
  for (const hidden of new Set(texts)) if (/\$\(|`/.test(hidden)) addHidden(hidden, node, place)
}

/** Commands of a text that is expanded once more, whatever stands around them. */
export function addHidden(text: string, node: Pick<Written, 'pos' | 'end'>, place: ReadingContext): void {
  addSecondText(`: "${text.replace(/["\\]/g, ' ')}"`, spanOf(node, place), place)
}
