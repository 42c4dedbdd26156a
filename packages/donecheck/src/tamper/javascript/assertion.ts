/** Assertions by a library: `expect(a).toBe(b)`, `assert.equal(a, b)`, `t.is(a, b)`, `a.should.equal(b)`. */
import type { AssertionFacts } from '../facts.ts'
import { libraryOf, type LibraryChain } from './assertion-library.ts'
import { chainOf, type Chain, type Link } from './chain.ts'
import { demandsOf } from './condition.ts'
import type { DeclaratorContext } from './declarator.ts'
import { factsOf } from './operands.ts'
import { lineOf, type SyntaxNode } from './syntax.ts'

export type AssertionReading =
  | { readonly kind: 'assertions'; readonly assertions: readonly AssertionFacts[] }
  /** It fails whenever it is reached: `assert.fail()`, `expect.unreachable()`. */
  | { readonly kind: 'failure'; readonly line: number }

/** Words that only make chains read well, and ways to look at the subject. */
const fillers =
  /^(to|be|been|is|that|which|and|has|have|with|at|of|same|but|does|still|also|deep|nested|own|ordered|any|all|itself|resolves|rejects|eventually|a|an|then|finally|catch|strict|loosely)$/
const failing = /^(fail|unreachable|failed|end\.fail)$/
const notAssertions =
  /^(any|anything|objectContaining|arrayContaining|arrayOf|stringContaining|stringMatching|closeTo|extend|not|getState|setState|addSnapshotSerializer|addEqualityTesters|configure|AssertionError|async|timeout|step|verifySteps|expect|use|should|CallTracker|schemaMatching)$/

function valuesOf(link: Link): readonly SyntaxNode[] {
  return link.args ?? []
}

/** Whether a link in a chain of `expect` asserts something. */
function isMatcher({ name, args }: Link): boolean {
  if (name === undefined || name === 'not') return false
  if (fillers.test(name)) return args !== undefined && /^(a|an|any|all)$/.test(name)
  return true
}

function ofMatchers(
  subject: SyntaxNode,
  links: readonly Link[],
  context: DeclaratorContext,
): AssertionFacts[] {
  const found: AssertionFacts[] = []
  let isNegated = false
  for (const link of links) {
    if (link.name === 'not' || link.name === 'never') isNegated = !isNegated
    if (!isMatcher(link) || link.name === undefined || link.name === 'never') continue
    const facts = factsOf(
      { line: lineOf(link.node), matcher: link.name, subject, expected: valuesOf(link), isNegated },
      context,
    )
    // `expect(a).toBe` without a call does nothing.
    found.push(
      link.args === undefined && /^to[A-Z]/.test(link.name) ? { ...facts, strength: 'trivial' } : facts,
    )
  }
  return found
}

/** `expect(a);` asserts nothing. */
function bareExpect(subject: SyntaxNode, link: Link, context: DeclaratorContext): AssertionFacts {
  const facts = factsOf(
    { line: lineOf(link.node), matcher: 'none', subject, expected: [], isNegated: false },
    context,
  )
  return { ...facts, strength: 'trivial' }
}

function ofExpect(links: readonly Link[], context: DeclaratorContext): AssertionReading | undefined {
  const [first, ...rest] = links
  if (first?.args === undefined) return undefined
  if (first.name !== undefined && failing.test(first.name))
    return { kind: 'failure', line: lineOf(first.node) }
  if (first.name === 'assertions' || first.name === 'hasAssertions') return ofCount(first, context)
  const isSubject = first.name === undefined || /^(soft|poll|element|assert)$/.test(first.name)
  if (!isSubject) return undefined
  const subject = first.args[0] ?? first.node
  const assertions = ofMatchers(subject, rest, context)
  return {
    kind: 'assertions',
    assertions: assertions.length > 0 ? assertions : [bareExpect(subject, first, context)],
  }
}

function ofCount(link: Link, context: DeclaratorContext): AssertionReading {
  const facts = factsOf(
    {
      line: lineOf(link.node),
      matcher: 'assertions',
      subject: link.node,
      expected: valuesOf(link),
      isNegated: false,
      strength: 'presence',
    },
    context,
  )
  return { kind: 'assertions', assertions: [{ ...facts, subject: '', strength: 'presence' }] }
}

/** `assertEquals` is `equals`, `notDeepEqual` is a negated `deepEqual`. */
function plainName(method: string): { readonly name: string; readonly isNegated: boolean } {
  const lower = (text: string): string => (text[0] ?? '').toLowerCase() + text.slice(1)
  const short = /^assert[A-Z]/.test(method) ? lower(method.slice('assert'.length)) : method
  const negated = /^(?:not|isNot|doesNot|strictNot)([A-Z]\w*)$/.exec(short)?.[1]
  const isThrow = negated !== undefined && /^(Throw|Reject)/.test(negated)
  if (negated === undefined || isThrow) return { name: short, isNegated: isThrow }
  return { name: negated === 'Ok' ? 'ok' : lower(negated), isNegated: true }
}

const withoutExpected =
  /^(ok|isOk|exists?|truthy|falsy|true|false|null|undefined|is(True|False|Null|Undefined|NaN|Defined)|pass|assert|error|snapshot|matchSnapshot|doesNotThrow|notThrows(Async)?|doesNotReject)$/
const withDelta = /^(closeTo|approximately|almostEquals?|almostEqual|property(Val)?|deepProperty(Val)?)$/

function ofMethod(link: Link, context: DeclaratorContext): AssertionReading | undefined {
  const method = link.name ?? 'ok'
  const line = lineOf(link.node)
  if (link.args === undefined || notAssertions.test(method)) return undefined
  if (failing.test(method)) return { kind: 'failure', line }
  if (method === 'plan') return ofCount(link, context)
  const { name, isNegated } = plainName(method)
  const [subject, ...others] = link.args
  if (name === 'pass' || subject === undefined)
    return { kind: 'assertions', assertions: [bareExpect(subject ?? link.node, link, context)] }
  if (/^(ok|isOk|assert|true|isTrue|truthy)$/.test(name))
    return {
      kind: 'assertions',
      assertions: demandsOf(subject, true, context).map((facts) => ({ ...facts, line })),
    }
  if (/^(notOk|isNotOk|falsy)$/.test(name) || (name === 'ok' && isNegated))
    return {
      kind: 'assertions',
      assertions: demandsOf(subject, false, context).map((facts) => ({ ...facts, line })),
    }
  const expected = withoutExpected.test(name) ? [] : others.slice(0, withDelta.test(name) ? 2 : 1)
  return {
    kind: 'assertions',
    assertions: [factsOf({ line, matcher: name, subject, expected, isNegated }, context)],
  }
}

function ofAssert(links: readonly Link[], context: DeclaratorContext): AssertionReading | undefined {
  const last = links.findLast(({ args }) => args !== undefined)
  return last === undefined ? undefined : ofMethod(last, context)
}

function ofShould({ links }: Chain, context: DeclaratorContext): AssertionReading | undefined {
  const at = links.findIndex(({ name }) => name === 'should')
  const should = links[at]
  if (should === undefined) return undefined
  const before = links[at - 1]?.node
  if (should.args === undefined) {
    // What stands before `.should` is the object of that member.
    const subject = 'object' in should.node ? should.node.object : before
    const assertions = subject === undefined ? [] : ofMatchers(subject, links.slice(at + 1), context)
    return assertions.length === 0 ? undefined : { kind: 'assertions', assertions }
  }
  const [matcher, ...expected] = should.args
  if (matcher?.type !== 'StringLiteral') return undefined
  const isNegated = /(^|\.)not\./.test(matcher.value)
  const name = matcher.value.replace(/(^|\.)not\./, '$1')
  const line = lineOf(should.node)
  return {
    kind: 'assertions',
    assertions: [
      factsOf({ line, matcher: name, subject: before ?? should.node, expected, isNegated }, context),
    ],
  }
}

const namedHelper = /^(assert|expect|verify|ensure)[A-Z_]/

/** A helper of another file by its name, `request(app).get('/').expect(200)`. */
function ofForeign(chain: Chain, context: DeclaratorContext): AssertionReading | undefined {
  const found: AssertionFacts[] = []
  const name = chain.root.type === 'Identifier' ? chain.root.name : ''
  for (const [index, link] of chain.links.entries()) {
    if (link.args === undefined) continue
    const called = link.name ?? (index === 0 ? name : '')
    const isHelper = namedHelper.test(called) && !context.bindings.functions.has(called)
    const isRequest = called === 'expect' && index > 0
    if (!isHelper && !isRequest) continue
    const before = chain.links[index - 1]?.node
    const operands = {
      line: lineOf(link.node),
      matcher: called,
      subject: (isRequest ? before : link.args[0]) ?? link.node,
      expected: isRequest ? link.args : link.args.slice(1),
      isNegated: false,
    }
    // Nobody here knows what is trivial for it.
    found.push({ ...factsOf(operands, context), strength: isRequest ? 'exact' : 'partial' })
  }
  return found.length === 0 ? undefined : { kind: 'assertions', assertions: found }
}

function ofLibrary(
  { library, links }: LibraryChain,
  context: DeclaratorContext,
): AssertionReading | undefined {
  return library === 'expect' ? ofExpect(links, context) : ofAssert(links, context)
}

/** Of a whole chain, seen from its outermost call or member. Undefined: it asserts nothing. */
export function readAssertion(node: SyntaxNode, context: DeclaratorContext): AssertionReading | undefined {
  const chain = chainOf(node, context)
  const inFile = chain.root.type === 'Identifier' && context.bindings.functions.has(chain.root.name)
  const library = inFile ? undefined : libraryOf(chain, context)
  if (library !== undefined) return ofLibrary(library, context)
  if (chain.links.length === 1 && chain.root.type === 'Identifier' && chain.root.name === 'fail' && !inFile)
    return { kind: 'failure', line: lineOf(node) }
  return ofShould(chain, context) ?? ofForeign(chain, context)
}
