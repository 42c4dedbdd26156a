import type { ArithmeticWord, ParameterExpansionPart, TestBinaryExpression, Word } from 'unbash'
import { addObstacle, shown } from '../ledger.ts'
import { spanOf, type Place } from '../place.ts'
import { literalText } from '../words/word.ts'

/*
 * What stands in a variable is read as arithmetic again, where `a[$(program)]` runs something. So nothing is known of
 * arithmetic with anything but numbers.
 */

export function readArithmetic(node: ArithmeticWord, place: Place): void {
  addUnlessNumber(node.value, node, place)
}

/** `${x:offset:length}`, `${x[index]}`. */
export function readParameterArithmetic({ index, operation }: ParameterExpansionPart, place: Place): void {
  if (index !== undefined) readIndex(index, place)
  if (operation?.type !== 'Slice') return
  for (const word of [operation.offset, operation.length]) if (word !== undefined) readSum(word, place)
}

export function readIndex(index: Word, place: Place): void {
  if (index.text !== '@' && index.text !== '*') readSum(index, place)
}

/** `[[ a -eq b ]]`, whose sides are arithmetic. */
export function readComparison({ operator, left, right }: TestBinaryExpression, place: Place): void {
  if (!/^-(eq|ne|lt|le|gt|ge)$/.test(operator)) return
  readSum(left, place)
  readSum(right, place)
}

function readSum(word: Word, place: Place): void {
  addUnlessNumber(literalText(word) ?? word.text, word, place)
}

function addUnlessNumber(
  text: string,
  node: { readonly pos: number; readonly end: number },
  place: Place,
): void {
  if (!/[A-Za-z_$`]/.test(text.replace(/\b0[xX][\dA-Fa-f]+/g, ''))) return
  const reason = `the value of "${shown(text)}" is only known when it runs`
  addObstacle('dynamic-word', reason, spanOf(node, place), place)
}
