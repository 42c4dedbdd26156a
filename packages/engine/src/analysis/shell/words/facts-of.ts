import { type Assignment, type Command, forEachChild, type ParsedScript, type SyntaxNode } from 'unbash'
import { boundCandidates, type Facts, fieldsOf, maxCandidates } from './facts.ts'
import { numbersOf } from './numbers.ts'
import { resolveText, resolveWord } from './resolve.ts'
import { literalText } from './word.ts'

/** What a script says of its variables, in addition to what was known of them before. */
export function factsOf(script: ParsedScript, text: string, before: Facts): Facts {
  const numbers = numbersOf(script, text)
  if (!text.includes('$')) return { ...before, numbers }
  const gathering: Gathering = {
    variables: new Map(before.variables),
    positional: [...before.positional],
    ...(before.zeroth === undefined ? {} : { zeroth: before.zeroth }),
    calls: [],
    functions: new Set(),
    numbers,
  }
  gather(script, gathering)
  for (const { name, args } of gathering.calls)
    if (gathering.functions.has(name)) keep(gathering.positional, args)
  return gathering
}

interface Gathering extends Facts {
  readonly variables: Map<string, readonly (readonly string[])[]>
  readonly positional: (readonly string[])[]
  readonly calls: { readonly name: string; readonly args: readonly string[] }[]
  readonly functions: Set<string>
}

function gather(node: SyntaxNode, facts: Gathering): void {
  if (node.type === 'Assignment') assign(node, facts)
  if (node.type === 'For' || node.type === 'Select')
    for (const word of node.wordlist ?? [])
      for (const fields of resolveWord(word, facts))
        for (const field of fields) setVariable(node.name.value, [field], facts)
  if (node.type === 'Function') facts.functions.add(node.name.value)
  if (node.type === 'Command') gatherArguments(node, facts)
  if (
    node.type === 'ParameterExpansion' &&
    node.operation?.type === 'Default' &&
    node.operation.operator.endsWith('=')
  ) {
    const text = literalText(node.operation.operand)
    if (text !== null) setVariable(node.parameter, [text], facts)
  }
  forEachChild(node, (child) => gather(child, facts))
}

/** Arguments of calls, and `set -- a b`. */
function gatherArguments(node: Command, facts: Gathering): void {
  const name = node.name && literalText(node.name)
  if (typeof name !== 'string' || facts.calls.length >= maxCalls) return
  const args = node.args.flatMap((arg) =>
    arg.type === 'Word' ? (resolveWord(arg, facts)[0] ?? [arg.text]) : [arg.text],
  )
  const end = args.indexOf('--')
  if (name === 'set' && end >= 0) keep(facts.positional, args.slice(end + 1))
  else facts.calls.push({ name, args })
}

const maxCalls = 1_000

function assign(assignment: Assignment, facts: Gathering): void {
  const { name, value, index } = assignment
  if (index !== undefined) return
  const isArray = value.type === 'ArrayValue'
  const lists = isArray
    ? [value.elements.flatMap((element) => resolveWord(element, facts)[0] ?? [element.text])]
    : textsOf(value, facts).map((text) => fieldsOf(text, true).slice(0, 1))
  for (const list of lists) {
    const known = assignment.append === true ? (facts.variables.get(name) ?? [[]]) : [[]]
    for (const elements of known)
      setVariable(name, isArray ? [...elements, ...list] : [(elements[0] ?? '') + (list[0] ?? '')], facts)
  }
}

function textsOf(value: Parameters<typeof literalText>[0], facts: Facts): readonly string[] {
  const literal = literalText(value)
  return literal === null ? boundCandidates(resolveText(value, facts)) : [literal]
}

function setVariable(name: string, elements: readonly string[], { variables }: Gathering): void {
  const known = [...(variables.get(name) ?? [])]
  if (variables.size < maxNames) variables.set(name, keep(known, elements))
}

const maxNames = 1_000

function keep(lists: (readonly string[])[], list: readonly string[]): readonly (readonly string[])[] {
  const isKnown = lists.some(
    (other) => other.length === list.length && other.every((element, at) => element === list[at]),
  )
  if (!isKnown && lists.length < maxCandidates) lists.push(list)
  return lists
}
