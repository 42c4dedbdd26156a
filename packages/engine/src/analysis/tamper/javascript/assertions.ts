/** Assertions by a library: `expect(a).toBe(b)`, `assert.equal(a, b)`, `t.is(a, b)`, `a.should.equal(b)`. */
import type { AssertionFacts } from '../facts.ts'
import { resolveChain, type Chain, type Link } from './chain.ts'
import { matcherStrength } from './matcher-strength.ts'
import { constantOf, type Names } from './names.ts'
import { bare, lineOf, type SyntaxNode } from '../../source/index.ts'

/** Words that only make chains read well, and ways to look at the subject. */
const fillers =
  /^(?:to|be|been|is|that|which|and|has|have|with|at|of|same|but|does|still|also|deep|nested|own|ordered|itself|resolves|rejects|eventually|then|finally|catch|strict|loosely|not|never)$/u
const notAssertions =
  /^(?:any|anything|\w+Containing|arrayOf|stringMatching|closeTo|extend|getState|setState|add\w+|configure|AssertionError|async|timeout|step|verifySteps|use|should|fail|failed|unreachable|plan|assertions|hasAssertions)$/u
const assertModules = /^(?:node:)?assert(?:\/strict)?$|^(?:power-assert|uvu\/assert|@std\/assert|zora)$/u
const contextMethods =
  /^(?:is|not|like|ok|notOk|equals?|notEqual|same|notSame|strictSame|match|notMatch|has|type|truthy|falsy|true|false|assert|regex|notRegex|snapshot|throws(?:Async)?|notThrows(?:Async)?|rejects|resolves|(?:not)?[dD]eep\w+|strict\w+|propEqual|doesNot\w+)$/u
const helper = /^(?:assert|expect|verify|ensure)[A-Z_]/u

/** Of a whole chain, seen from its outermost call or member. */
export function assertionsAt(node: SyntaxNode, names: Names): readonly AssertionFacts[] {
  const chain = resolveChain(node, names)
  const { root, links } = chain
  const name = root.type === 'Identifier' ? root.name : ''
  const [first, ...rest] = links
  if (first === undefined || names.functions.has(name)) return []
  const imported = names.imports.get(name)
  const called =
    imported?.name === undefined || /^(?:default|\*)$/u.test(imported.name) ? name : imported.name
  if (/^expect(?:TypeOf)?$/u.test(called)) return ofExpect(links, names)
  if (/^(?:expect|assert)$/u.test(first.name ?? ''))
    return first.args === undefined
      ? first.name === 'assert'
        ? ofMethod(rest, names)
        : ofExpect(rest, names)
      : ofExpect(links, names)
  if (/^(?:assert|should)$/u.test(called) || (imported !== undefined && assertModules.test(imported.from)))
    return ofMethod(first.name === undefined ? [{ ...first, name: called }, ...rest] : links, names)
  if (links.length === 1 && /^(?:t|assert)$/u.test(name) && contextMethods.test(first.name ?? ''))
    return ofMethod(links, names)
  return ofShould(chain, names) ?? ofHelper(name, links, names)
}

function ofExpect(links: readonly Link[], names: Names): readonly AssertionFacts[] {
  const at = links.findIndex(
    ({ name, args }) => args !== undefined && /^(?:expect|soft|poll)?$/u.test(name ?? ''),
  )
  const subject = links[at]?.args?.[0]
  return subject === undefined ? [] : ofMatchers(subject, links.slice(at + 1), names)
}

function ofMatchers(subject: SyntaxNode, links: readonly Link[], names: Names): readonly AssertionFacts[] {
  let isNegated = false
  return links.flatMap((link): readonly AssertionFacts[] => {
    if (link.name === 'not' || link.name === 'never') isNegated = !isNegated
    if (link.name === undefined || (fillers.test(link.name) && link.args === undefined)) return []
    return [factsOf(link, link.name, subject, link.args ?? [], isNegated, names)]
  })
}

/** `assertEquals` is `equals`, `notDeepEqual` is a negated `deepEqual`. */
function ofMethod(links: readonly Link[], names: Names): readonly AssertionFacts[] {
  const link = links.findLast(({ args }) => args !== undefined)
  const [subject, ...expected] = link?.args ?? []
  const method = link?.name ?? 'ok'
  if (link === undefined || subject === undefined || notAssertions.test(method)) return []
  const short = method.replace(/^assert(?=[A-Z])/u, '')
  const plain = short.replace(/^(?:not|isNot|doesNot)(?=[A-Z])/u, '')
  const isNegated = plain !== short || method === 'falsy'
  const name = plain.charAt(0).toLowerCase() + plain.slice(1)
  if (/^(?:ok|isOk|assert|true|isTrue|truthy|falsy)$/u.test(name))
    return assertionsDemandedBy(subject, isNegated, names)
  const isAlone = /^(?:isN\w+|isUndefined|null|undefined|throw|reject|snapshot)$/u.test(name)
  return [factsOf(link, name, subject, isAlone ? [] : expected.slice(0, 1), isNegated, names)]
}

/** `assert(a === b)`, and the opposite of `if (a !== b) throw …`. */
export function assertionsDemandedBy(
  wrapped: SyntaxNode,
  isNegated: boolean,
  names: Names,
): readonly AssertionFacts[] {
  const condition = bare(wrapped)
  const link = { node: condition }
  if (condition.type === 'UnaryExpression' && condition.operator === '!')
    return assertionsDemandedBy(condition.argument, !isNegated, names)
  if (condition.type === 'LogicalExpression' && condition.operator === (isNegated ? '||' : '&&'))
    return [condition.left, condition.right].flatMap((side) => assertionsDemandedBy(side, isNegated, names))
  if (condition.type !== 'BinaryExpression' || !/^(?:[!=]==?|[<>]=?)$/u.test(condition.operator))
    return [factsOf(link, 'ok', condition, [], isNegated, names)]
  const { operator, left, right } = condition
  if (/[<>]/u.test(operator)) return [factsOf(link, operator, left, [right], isNegated, names)]
  return [factsOf(link, 'strictEqual', left, [right], operator.startsWith('!') !== isNegated, names)]
}

function ofShould({ root, links }: Chain, names: Names): readonly AssertionFacts[] | undefined {
  const at = links.findIndex(({ name }) => name === 'should')
  const should = links[at]
  if (should === undefined) return undefined
  const [word, ...expected] = should.args ?? []
  const subject = links[at - 1]?.node ?? root
  const matcher = constantOf(word, names)
  if (typeof matcher !== 'string') return ofMatchers(subject, links.slice(at + 1), names)
  return [factsOf(should, matcher.replace('not.', ''), subject, expected, matcher.includes('not.'), names)]
}

/** A helper of another file by its name, `request(app).get('/').expect(200)`. */
function ofHelper(root: string, links: readonly Link[], names: Names): readonly AssertionFacts[] {
  return links.flatMap((link, index): readonly AssertionFacts[] => {
    const called = link.name ?? (index === 0 ? root : '')
    const isRequest = called === 'expect' && index > 0
    const [subject, ...expected] = link.args ?? []
    if (subject === undefined || (!isRequest && !helper.test(called))) return []
    const before = links[index - 1]?.node ?? subject
    const found = isRequest
      ? factsOf(link, 'equal', before, [subject, ...expected], false, names)
      : factsOf(link, called, subject, expected, false, names)
    return [{ ...found, matcher: called }]
  })
}

const data = /^(?:String|Numeric|Boolean|Null|BigInt|RegExp)Literal$|^(?:Array|Object)Expression$/u

function factsOf(
  { node }: Pick<Link, 'node'>,
  matcher: string,
  subject: SyntaxNode,
  expected: readonly SyntaxNode[],
  isNegated: boolean,
  names: Names,
): AssertionFacts {
  const { source } = names
  // A variable that holds data is given as that data: a changed expectation must not hide behind its name.
  const shown = expected.map((one) => {
    const bound = one.type === 'Identifier' ? names.values.get(one.name) : undefined
    return source.of(bound !== undefined && data.test(bound.type) ? bound : one)
  })
  const [only] = shown
  const isSame = only === source.of(subject) || (isConstant(subject) && expected.every(isConstant))
  const named = matcherStrength(matcher, expected.length, isNegated)
  const isLoose = named === 'exact' && /(?:^|[^.\w])expect\.\w+\(/u.test(only ?? '')
  const isAnything = /^(?:expect\.anything\(|\(?expect\.objectContaining\(\{\}\))/u.test(only ?? '')
  const strength = (isSame && !isNegated) || isAnything ? 'trivial' : isLoose ? 'partial' : named
  return {
    line: lineOf(node),
    subject: source.of(subject),
    matcher,
    strength,
    expected: expected.length === 0 ? null : shown.join(','),
    isNegated,
  }
}

function isConstant(node: SyntaxNode): boolean {
  return /^(?:String|Numeric|Boolean|Null)Literal$/u.test(bare(node).type)
}
