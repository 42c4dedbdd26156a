/** Comparisons of tests in Go, Rust, Ruby and PHP that are false. Pure. */
import {
  argumentsIn,
  callIn,
  callOf,
  coverInner,
  otherLiteral,
  otherOfTwo,
  otherValue,
  type FalseLine,
  type Shift,
  type Values,
} from './words.ts'

function certain(text: string | undefined): FalseLine | undefined {
  return text === undefined ? undefined : { text, isCertain: true }
}

/**
 * Conditions of Go are turned round: no value of it can say of itself what it is equal to.
 * @param next the line after it: it says whether the condition is one that fails a test
 */
export function falsifyGo(line: string, next: string): FalseLine | undefined {
  const swapped = line.replace(
    goAssertion,
    (_, start: string, name: string) => start + (goOpposites[name] ?? name),
  )
  if (swapped !== line) return certain(swapped)
  const [, start = '', condition = '', end = ''] = /^(if\s+(?:[^;]*;\s*)?)(.*?)(\s*\{)$/u.exec(line) ?? []
  if (!/^[tb]\.(?:Error|Fatal|Fail)/u.test(next)) return undefined
  const covered = coverInner(condition)
  if (covered === undefined || /&&|\|\||<|>/u.test(covered) || condition === '') return undefined
  const [compared, ...more] = [...covered.matchAll(/[!=]=/gu)]
  if (compared === undefined) {
    const other = condition.startsWith('!') ? condition.slice(1) : `!(${condition})`
    return certain(`${start}${other}${end}`)
  }
  if (more.length > 0) return undefined
  const sides = [condition.slice(0, compared.index), condition.slice(compared.index + 2)]
  return certain(`${start}${sides.join(compared[0] === '!=' ? '==' : '!=')}${end}`)
}

const goAssertion = /^((?:assert|require)\.)(Equal|NotEqual|True|False|NoError|Error|Nil|NotNil)(?=\()/u
const goOpposites: Readonly<Record<string, string>> = {
  ...{ Equal: 'NotEqual', NotEqual: 'Equal', True: 'False', False: 'True' },
  ...{ NoError: 'Error', Error: 'NoError', Nil: 'NotNil', NotNil: 'Nil' },
}

/** A literal of Rust is changed; of what has none, the macro. */
export function falsifyRust(line: string, shift: Shift): FalseLine | undefined {
  const call = callIn(line)
  const [, macro] = /^(assert(?:_eq|_ne)?)!\s*\($/u.exec(call?.start ?? '') ?? []
  if (call === undefined || macro === undefined) return undefined
  if (macro === 'assert') return certain(callOf(call, call.given.with(0, `!(${call.given[0] ?? ''})`)))
  const other = macro === 'assert_eq' ? otherOfTwo(call.given, 1, { shift, wrap: undefined }) : undefined
  if (other !== undefined) return certain(callOf(call, other))
  return certain(line.replace(macro, () => (macro === 'assert_eq' ? 'assert_ne' : 'assert_eq')))
}

export function falsifyRuby(line: string, values: Values): FalseLine | undefined {
  const [, start, bracketed, plain = '', end = ''] =
    /^(.*\bexpect\s*[({].*[)}]\.to\s+(?:eq|eql)\b)(?:\((.*)\)|\s+(\S.*?))(\s*\}|)$/u.exec(line) ?? []
  if (start !== undefined) {
    const wanted = bracketed ?? plain
    if (/\s(?:if|unless)\s/u.test(wanted)) return undefined
    const other = coverInner(wanted) === undefined ? undefined : otherValue(wanted, values)
    const isOwn = /^(?:expect|it|specify|example)\b/u.test(line)
    return other === undefined ? undefined : { text: `${start}(${other})${end}`, isCertain: isOwn }
  }
  const [, name = '', open = '', words = '', close = ''] =
    /^(assert_equal)(\s*\(|\s+)(.*?)(\)?)$/u.exec(line) ?? []
  if (
    name === '' ||
    (open.includes('(') ? close === '' : close !== '' && coverInner(`${words})`) === undefined)
  )
    return undefined
  const given = open.includes('(') ? argumentsIn(words) : argumentsIn(words + close)
  const other = given.length < 2 ? undefined : otherOfTwo(given.slice(0, 2), 0, values)
  if (other === undefined || coverInner(other.join(',')) === undefined) return undefined
  return certain(`${name}${open}${[...other, ...given.slice(2)].join(',')}${open.includes('(') ? close : ''}`)
}

/** A value of Ruby that is not written out, and another one. */
export function wrapRuby(expression: string): string {
  const other = `w.is_a?(Numeric) ? w + 7 : w.is_a?(String) ? w + '7' : [w, 7]`
  return `->(w) { ${other} }.call(${expression})`
}

export function falsifyPhp(line: string, values: Values): FalseLine | undefined {
  const call = callIn(line)
  const [, method] =
    /^(?:\$this->|(?:self|static|Assert)::)assert(Same|Equals|Count|True|False|NotNull|Null)\s*\($/u.exec(
      call?.start ?? '',
    ) ?? []
  if (call === undefined || method === undefined) return undefined
  const opposite = Object.hasOwn(phpOpposites, method) ? phpOpposites[method] : undefined
  if (opposite !== undefined) return certain(line.replace(`assert${method}`, () => `assert${opposite}`))
  if (call.given.length < 2 || call.given.some((one) => one.trim().startsWith('...'))) return undefined
  const isCounted = method === 'Count'
  const other = isCounted
    ? countPlus(call.given[0], values.shift)
    : otherOfTwo(call.given.slice(0, 2), 0, values)?.join(',')
  if (other === undefined) return undefined
  return certain(callOf(call, [other, ...call.given.slice(isCounted ? 1 : 2)]))
}

function countPlus(count: string | undefined, shift: Shift): string | undefined {
  return count === undefined ? undefined : (otherLiteral(count.trim(), shift) ?? `${count} + 7`)
}

const phpOpposites: Readonly<Record<string, string>> = {
  ...{ True: 'False', False: 'True', Null: 'NotNull', NotNull: 'Null' },
}

/** A value of PHP that is not written out, and another one. */
export function wrapPhp(expression: string): string {
  const other = `is_int($w) || is_float($w) ? $w + 7 : (is_string($w) ? $w . '7' : (is_bool($w) ? !$w : [$w, 7]))`
  return `(fn($w) => ${other})(${expression})`
}
