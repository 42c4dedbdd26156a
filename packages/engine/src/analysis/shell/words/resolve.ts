import type {
  Command,
  CommandNode,
  ParameterExpansionPart,
  ParsedScript,
  PipelineNode,
  Redirection,
  Statement,
  Word,
  WordPart,
} from 'unbash'
import {
  boundCandidates,
  type Candidates,
  type Facts,
  fieldsOf,
  joinCandidates,
  separator,
  splitting,
} from './facts.ts'
import { literalText } from './word.ts'

/**
 * The words that a word may become when it runs, by what the line says of its variables. Each element is one
 * possibility: several words, or none where it may vanish. Empty: nothing can be told.
 */
export function resolveWord(word: Word, facts: Facts): readonly (readonly string[])[] {
  const literal = literalText(word)
  if (literal !== null) return [[literal]]
  const { parts } = word
  if (parts === undefined || word.text.startsWith('~') || isUnknownAlone(parts, facts)) return []
  const isQuoted = parts.some(({ type }) => quotes.has(type)) && !parts.some(isAllArguments)
  const texts = resolvedParts(parts, facts, false)
  return (texts ?? []).map((text) => fieldsOf(text, isQuoted))
}

/** The text that an assignment or a heredoc gets, which is not split. */
export function resolveText(
  word: { readonly parts?: readonly WordPart[] | undefined; readonly text: string },
  facts: Facts,
): readonly string[] {
  if (word.parts === undefined) return []
  return resolvedParts(word.parts, facts, true) ?? []
}

const quotes = new Set(['SingleQuoted', 'DoubleQuoted', 'AnsiCQuoted', 'LocaleString'])

/** `"$x"` of a name that is nowhere set: any text may stand there. */
function isUnknownAlone([part, ...others]: readonly WordPart[], facts: Facts): boolean {
  if (others.length > 0 || part?.type !== 'DoubleQuoted' || isAllArguments(part)) return false
  return part.parts.length === 1 && (resolvedPart(part, facts, true) ?? []).every((text) => text === '')
}

/** `"$@"` vanishes where there are no arguments. */
function isAllArguments(part: WordPart): boolean {
  return (
    part.type === 'DoubleQuoted' &&
    part.parts.length === 1 &&
    /^\$(@|\{@\}|\{\w+\[@\]\})$/.test(part.parts[0]?.text ?? '')
  )
}

function resolvedParts(parts: readonly WordPart[], facts: Facts, isQuoted: boolean): Candidates {
  let texts: readonly string[] = ['']
  for (const part of parts) {
    const next = resolvedPart(part, facts, isQuoted)
    if (next === undefined || next.length === 0) return undefined
    texts = joinCandidates(texts, next)
  }
  return texts
}

function resolvedPart(part: WordPart, facts: Facts, isQuoted: boolean): Candidates {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [part.value]
    case 'DoubleQuoted':
    case 'LocaleString':
      return resolvedParts(part.parts, facts, true)
    case 'SimpleExpansion':
      return splitFields(simpleCandidates(part.text, facts), facts, isQuoted)
    case 'ParameterExpansion':
      return splitFields(parameterCandidates(part, facts), facts, isQuoted)
    case 'CommandExpansion':
      return splitFields([outputOf(part.script) ?? ''], facts, isQuoted)
    case 'Glob':
      // `[m]` can only be that letter.
      return part.kind === 'bracket' && /^\[[^!^\]\\]\]$/.test(part.text)
        ? [part.text.slice(1, 2)]
        : undefined
    case 'ArithmeticExpansion':
    case 'ProcessSubstitution':
    case 'ExtendedGlob':
    case 'BraceExpansion':
      return undefined
  }
}

function splitFields(candidates: Candidates, facts: Facts, isQuoted: boolean): Candidates {
  if (isQuoted || candidates === undefined) return candidates
  const own = facts.variables.get('IFS')?.flat().join('') ?? ''
  return candidates.map((text) => splitting(text, ` \t\n${own}`))
}

/**
 * What `$name` and `${name…}` may stand for, by what the line says of it. A name that the line does not set
 * may well be empty. Undefined: it cannot be told.
 */
function parameterCandidates(part: ParameterExpansionPart, facts: Facts): Candidates {
  const { parameter, prefix, index, operation } = part
  if (prefix === '#') return undefined
  const named = prefix === '!' ? indirect(parameter, facts) : elementsOf(parameter, index, facts)
  const values = named ?? (operation?.type === 'Default' ? [] : [''])
  if (operation === undefined) return values
  return boundCandidates(applyOperation(values, operation) ?? [])
}

/** `$x`, `$1`, `$@`. */
function simpleCandidates(text: string, facts: Facts): Candidates {
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
  if (/^(?:\d+|[@*])$/.test(name)) return positional
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

/** Standard input of a command. */
export interface Input {
  /** Null: only known when it runs. */
  readonly text: string | null
  /** It is written in the line, and nothing else can come in. */
  readonly isSure: boolean
}

export const unknownInput: Input = { text: null, isSure: false }

/** What `$(…)` becomes where it only prints what is written there; undefined: it cannot be told. */
function outputOf(script: ParsedScript | undefined): string | undefined {
  if (script === undefined || script.errors !== undefined) return undefined
  return printedByAll(script.commands, undefined)?.replace(/\n+$/, '')
}

/** What a command prints where that is written in the line; undefined: it cannot be told. */
export function outputOfCommand(node: PipelineNode, input: Input | undefined): string | undefined {
  switch (node.type) {
    case 'Command':
      return printedBySimple(node, input)
    case 'Subshell':
    case 'BraceGroup':
      return printedByAll(node.body.commands, input)
    case 'Pipeline':
      return printedByPipeline(node.commands, input)
    default:
      return undefined
  }
}

function printedByPipeline(commands: readonly CommandNode[], input: Input | undefined): string | undefined {
  let flowing = input
  for (const command of commands) {
    const text = outputOfCommand(command, flowing)
    if (text === undefined) return undefined
    flowing = { text, isSure: false }
  }
  return flowing?.text ?? undefined
}

function printedByAll(statements: readonly Statement[], input: Input | undefined): string | undefined {
  const texts = statements.map(({ command }) =>
    command.type === 'AndOr' ? undefined : outputOfCommand(command, input),
  )
  return texts.every((text) => text !== undefined) ? texts.join('') : undefined
}

function printedBySimple(node: Command, outer: Input | undefined): string | undefined {
  const words = [node.name, ...node.args].map((word) => (word?.type === 'Word' ? literalText(word) : null))
  if (!words.every((word) => word !== null)) return undefined
  const [program = '', ...args] = words
  const text = (inputOf(node.redirects) ?? outer)?.text ?? undefined
  switch (program.slice(program.lastIndexOf('/') + 1)) {
    case 'echo':
      return `${withEscapes(args.filter((arg, index) => !(index < 3 && /^-[neE]+$/.test(arg))).join(' '))}\n`
    case 'printf':
      return formatWords(args[0] === '--' ? args.slice(1) : args)
    case 'cat':
    case 'tee':
      return args.length === 0 || args[0] === '-' || program === 'tee' ? text : undefined
    case 'mktemp':
      // It is a new one, whatever its name.
      return args.every((arg) => /^-[dqu]+$/.test(arg)) ? '/tmp/tmp.XXXXXXXXXX\n' : undefined
    case 'which':
    case 'type':
    case 'command':
      return `${args.findLast((arg) => !arg.startsWith('-')) ?? ''}\n`
    default:
      return undefined
  }
}

/** What redirections make of standard input; undefined: it stays as it was. */
export function inputOf(redirects: readonly Redirection[]): Input | undefined {
  const last = redirects.findLast(isInput)
  if (last === undefined) return undefined
  switch (last.type) {
    case 'HereDoc':
      return heredocInput(last)
    case 'HereString': {
      const text = last.target === undefined ? '' : literalText(last.target)
      return text === null
        ? { text: last.target?.text ?? null, isSure: false }
        : { text: `${text}\n`, isSure: true }
    }
    case 'Redirect':
      return unknownInput
  }
}

function isInput(redirection: Redirection): boolean {
  const { descriptor } = redirection
  if (redirection.type === 'Redirect' && !redirection.operator.startsWith('<')) return false
  return descriptor === undefined || (descriptor.type === 'FileDescriptor' && descriptor.value === 0)
}

type HereDoc = Extract<Redirection, { type: 'HereDoc' }>

function heredocInput({ body, delimiter, operator }: HereDoc): Input {
  const text = operator === '<<-' ? body.text.replace(/^\t+/gm, '') : body.text
  if (delimiter?.quoted === true) return { text, isSure: true }
  const isLiteral = (body.parts ?? []).every(({ type }) => type === 'Literal')
  return {
    text: text.replace(/\\([\\$`\n])/g, (_, letter: string) => (letter === '\n' ? '' : letter)),
    isSure: isLiteral,
  }
}

/** The escapes of `printf` and of the `echo` of many shells. */
function withEscapes(text: string): string {
  return text.replace(
    /\\(?:x([0-9A-Fa-f]{1,2})|0?([0-7]{1,3})|([abefnrtv\\]))/g,
    (_, hex: string | undefined, octal: string | undefined, letter: string | undefined) => {
      if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 255)
      return letters[letter ?? ''] ?? ''
    },
  )
}

const letters: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '\\': '\\' }

function formatWords([format, ...values]: readonly string[]): string | undefined {
  if (format === undefined || /%(?![%sbdq])/.test(format.replaceAll('%%', ''))) return undefined
  const rest = [...values]
  let text = ''
  do {
    text += withEscapes(format).replace(/%([%sbdq])/g, (_, kind: string) =>
      kind === '%' ? '%' : kind === 'b' ? withEscapes(rest.shift() ?? '') : (rest.shift() ?? ''),
    )
  } while (rest.length > 0 && /%[sbdq]/.test(format) && text.length < maxPrintedLength)
  return text
}

/** In UTF-16 units. */
const maxPrintedLength = 65_536
