/** `[[ … ]]`, `[ … ]` and `test …`, as far as what is known of their values decides them. */
import type { TestExpression } from 'unbash'
import { addCandidate, hit, type Place } from './shell.ts'
import { eitherOf, type Way } from './way.ts'
import { compareValues, shortText, valueOf } from './words.ts'

/** @param answer undefined: it is only known when it runs */
export function runTest(
  answer: boolean | undefined,
  node: { readonly pos: number; readonly end: number },
  way: Way,
  place: Place,
): readonly Way[] {
  if (answer !== undefined) return [{ ...way, ok: answer }]
  addCandidate(
    { node, text: shortText(place.text.slice(node.pos, node.end)), kind: 'condition', deaf: undefined },
    place,
  )
  return hit(eitherOf(way), node, place)
}

/** The words behind `[` or `test`; undefined values are only known when it runs. */
export function isTrueOfWords(words: readonly (string | undefined)[]): boolean | undefined {
  const [first, second, third, ...more] = words
  if (first === '!' && words.length > 1) return negateAnswer(isTrueOfWords(words.slice(1)))
  if (more.length > 0) return undefined
  if (words.length === 2 && first !== undefined && second !== undefined) return isTrueOf(first, second)
  if (words.length !== 3 || first === undefined || second === undefined || third === undefined)
    return undefined
  return compareValues(first, second, third)
}

export function isTrue(expression: TestExpression, way: Way): boolean | undefined {
  switch (expression.type) {
    case 'TestBinary': {
      const [left, right] = [valueOf(expression.left, way), valueOf(expression.right, way)]
      const isPattern = /[*?[]/.test(expression.right.text)
      return left === undefined || right === undefined || isPattern
        ? undefined
        : compareValues(left, expression.operator, right)
    }
    case 'TestUnary': {
      const value = valueOf(expression.operand, way)
      return value === undefined ? undefined : isTrueOf(expression.operator, value)
    }
    case 'TestNot':
      return expression.negations.length % 2 === 1
        ? negateAnswer(isTrue(expression.operand, way))
        : isTrue(expression.operand, way)
    case 'TestGroup':
      return isTrue(expression.expression, way)
    case 'TestLogical':
      return undefined
  }
}

function isTrueOf(operator: string, value: string): boolean | undefined {
  if (operator === '-n') return value !== ''
  return operator === '-z' ? value === '' : undefined
}

function negateAnswer(answer: boolean | undefined): boolean | undefined {
  return answer === undefined ? undefined : !answer
}
