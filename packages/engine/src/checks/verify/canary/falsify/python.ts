/** Comparisons of Python tests that are false. Pure. */
import {
  argumentsIn,
  callIn,
  callOf,
  coverInner,
  otherOfTwo,
  otherValue,
  type FalseLine,
  type Values,
} from './words.ts'

/** @returns undefined if the line is no comparison that stands on it as a whole */
export function falsifyPython(line: string, values: Values): FalseLine | undefined {
  const statement = withoutComment(line)
  if (/"""|'''|\\$/u.test(statement)) return undefined
  const text = statement.startsWith('assert ')
    ? falseAssert(statement, values)
    : falseMethod(statement, values)
  return text === undefined ? undefined : { text, isCertain: true }
}

function withoutComment(line: string): string {
  const covered = line.includes('#') ? coverInner(line) : undefined
  const start = covered?.indexOf('#') ?? -1
  return start < 0 ? line : line.slice(0, start).trimEnd()
}

function falseAssert(statement: string, values: Values): string | undefined {
  const [stated = '', ...message] = argumentsIn(statement.slice('assert '.length))
  const covered = coverInner(stated)
  if (covered === undefined || stated.trim() === '') return undefined
  const other = falseExpression(stated.trim(), covered.trim(), values)
  return other === undefined ? undefined : ['assert '.concat(other), ...message].join(',')
}

function falseExpression(stated: string, covered: string, values: Values): string | undefined {
  const negated = values.wrap === undefined ? undefined : `not (${stated})`
  if (/\b(?:not|or|and|in|if|is|lambda)\b/u.test(covered)) return negated
  const near = /^abs\(.*\)\s*<=?\s*(?:0?\.\d+|1e-\d+)$/u.test(stated)
    ? falseDistance(stated, values)
    : undefined
  if (near !== undefined) return near
  const parts = [...covered.matchAll(/==|[!<>]=?/gu)]
  const [compared] = parts
  if (parts.length !== 1 || compared?.[0] !== '==') return negated
  const sides = [stated.slice(0, compared.index), stated.slice(compared.index + 2)]
  const [left = '', right = ''] = sides
  const about = /^(\s*(?:pytest\.)?approx\()(.*)\)$/u.exec(right)
  if (about !== null) {
    const [value = '', ...more] = argumentsIn(about[2] ?? '')
    const other = otherValue(value, values)
    return other === undefined ? negated : `${left}==${about[1] ?? ''}${[other, ...more].join(',')})`
  }
  return otherOfTwo(sides, 1, values)?.join('==')
}

/** `abs(a - b) < 0.01`, of another `b`. */
function falseDistance(stated: string, { wrap }: Values): string | undefined {
  const end = stated.lastIndexOf(')')
  const inner = stated.slice('abs('.length, end)
  const minus = coverInner(inner)?.split(' - ')
  const [left = '', right] = minus ?? []
  if (wrap === undefined || right === undefined || minus?.length !== 2) return undefined
  return `abs(${inner.slice(0, left.length)} - ((${inner.slice(left.length + 3)}) * 3 + 7)${stated.slice(end)}`
}

/** Methods of unittest, and those that hold where they do not. */
const opposites: Readonly<Record<string, string>> = {
  ...{ True: 'False', False: 'True', In: 'NotIn', NotIn: 'In', Is: 'IsNot', IsNot: 'Is' },
  ...{ IsNone: 'IsNotNone', IsNotNone: 'IsNone', IsInstance: 'NotIsInstance', NotEqual: 'Equal' },
  ...{ Greater: 'LessEqual', Less: 'GreaterEqual', GreaterEqual: 'Less', LessEqual: 'Greater' },
}

function falseMethod(statement: string, values: Values): string | undefined {
  const call = callIn(statement)
  const method = call === undefined ? undefined : /^self\.assert(\w+)\s*\($/u.exec(call.start)?.[1]
  if (call === undefined || method === undefined) return undefined
  const given = call.given.filter((one) => one.trim() !== '')
  if (/^(?:Equals?|(?:List|Dict|Tuple|Set|Sequence|MultiLine|Count)Equal|AlmostEqual)$/u.test(method)) {
    const isPlain =
      given.length === 2 || (given.length === 3 && /^\s*(?:msg\s*=|f?["'])/u.test(given[2] ?? ''))
    const other = isPlain ? otherOfTwo(given, 1, values) : undefined
    return other === undefined ? undefined : callOf(call, other)
  }
  const opposite = Object.hasOwn(opposites, method) ? opposites[method] : undefined
  if (opposite === undefined || values.wrap === undefined) return undefined
  return statement.replace(`assert${method}`, () => `assert${opposite}`)
}

export function wrapPython(expression: string): string {
  if (expression === 'True' || expression === 'False') return expression === 'True' ? 'False' : 'True'
  const other =
    '(not w) if w is True or w is False else w + 7 if type(w) in (int, float) and abs(w) < 100000 else w + "7" if type(w) is str else [w, 7]'
  return `(lambda w: ${other})(${expression})`
}
