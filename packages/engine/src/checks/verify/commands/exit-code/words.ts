import type {
  ArithmeticExpression,
  Assignment,
  Command,
  CommandExpansionPart,
  ProcessSubstitutionPart,
  Redirection,
  Word,
  WordPart,
} from 'unbash'
import { truncateText } from '../../reports/reports.ts'
import { someFailure, withValue, type Way } from './way.ts'

export type Substitution = CommandExpansionPart | ProcessSubstitutionPart

interface Parts {
  readonly parts?: readonly WordPart[] | undefined
}

/** Program and arguments without quotes; an expansion stays as it is written unless its value is known. */
export function wordsOf(command: Command, way: Way): readonly string[] {
  const words = command.name === undefined ? [] : [command.name, ...command.args]
  return words.map((word) => (word.type === 'Word' ? (valueOf(word, way) ?? word.value) : word.text))
}

/** The text of a word on this way; undefined: it is only known when it runs. */
export function valueOf({ parts, value }: Word, way: Way): string | undefined {
  return parts === undefined ? value : joinParts(parts, way)
}

export function argumentValues({ args }: Command, way: Way): readonly (string | undefined)[] {
  return args.map((word) => (word.type === 'Word' ? valueOf(word, way) : undefined))
}

function joinParts(parts: readonly WordPart[], way: Way): string | undefined {
  const texts = parts.map((part) => partValue(part, way))
  return texts.every((text) => text !== undefined) ? texts.join('') : undefined
}

function partValue(part: WordPart, way: Way): string | undefined {
  switch (part.type) {
    case 'SimpleExpansion':
      return variable(part.text.slice(1), way)
    case 'ParameterExpansion':
      return part.operation === undefined && part.prefix === undefined
        ? variable(part.index === undefined ? part.parameter : `${part.parameter}[${part.index.text}]`, way)
        : undefined
    case 'ArithmeticExpansion':
      return part.expression === undefined ? undefined : arithmetic(part.expression, way)
    case 'DoubleQuoted':
    case 'LocaleString':
      return joinParts(part.parts, way)
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return part.value
    case 'Glob':
    case 'ExtendedGlob':
    case 'BraceExpansion':
      return part.text
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      return undefined
  }
}

function variable(name: string, { ok, values }: Way): string | undefined {
  return name === '?' ? (ok ? '0' : someFailure) : values.get(name)
}

/** 0, some other number, or unknown: sums, alternatives and plain numbers. */
export function arithmetic(expression: ArithmeticExpression, way: Way): string | undefined {
  switch (expression.type) {
    case 'ArithmeticWord': {
      const name = expression.value.replace(/^\$\{?|\}$/g, '')
      return /^\d+$/.test(name) ? name : variable(name, way)
    }
    case 'ArithmeticGroup':
      return arithmetic(expression.expression, way)
    case 'ArithmeticBinary': {
      const [left, right] = [arithmetic(expression.left, way), arithmetic(expression.right, way)]
      if (left === undefined || right === undefined) return undefined
      if (['+', '|', '||'].includes(expression.operator))
        return left === '0' && right === '0' ? '0' : someFailure
      const isTrue = compareValues(left, expression.operator, right)
      return isTrue === undefined ? undefined : isTrue ? '1' : '0'
    }
    default:
      return undefined
  }
}

/** What `x++`, `x+=1` and `x=…` in an arithmetic text leave in their variables. */
export function afterArithmetic(text: string, way: Way): Way {
  let after = way
  for (const [, name = '', operator = '', number] of text.matchAll(
    /([A-Za-z_]\w*)\s*(\+\+|--|[-+*/%&|^]?=(?!=))\s*(\d+\s*$)?/g,
  ))
    after = withValue(after, name, setBy(operator, number, after.values.get(name)))
  for (const [, name = ''] of text.matchAll(/(?:\+\+|--)\s*([A-Za-z_]\w*)/g))
    after = withValue(after, name, undefined)
  return after
}

function setBy(operator: string, number: string | undefined, before: string | undefined): string | undefined {
  if (operator === '=') return number?.trim()
  return (operator === '++' || operator === '+=') && before !== undefined ? someFailure : undefined
}

/** Undefined: it cannot be told. */
export function compareValues(left: string, operator: string, right: string): boolean | undefined {
  if (left === someFailure && right === someFailure) return undefined
  if (left === someFailure) return right === '0' ? aboveZero(operator) : undefined
  if (right === someFailure)
    return left === '0' && /^(-eq|-ne|=|==|!=)$/.test(operator) ? aboveZero(operator) : undefined
  if (operator === '=' || operator === '==') return left === right
  if (operator === '!=') return left !== right
  if (!/^\d+$/.test(left) || !/^\d+$/.test(right)) return undefined
  const [one, other] = [Number(left), Number(right)]
  switch (operator) {
    case '-eq':
      return one === other
    case '-ne':
      return one !== other
    case '-gt':
    case '>':
      return one > other
    case '-lt':
    case '<':
      return one < other
    case '-ge':
    case '>=':
      return one >= other
    case '-le':
    case '<=':
      return one <= other
    default:
      return undefined
  }
}

function aboveZero(operator: string): boolean | undefined {
  if (/^(-ne|-gt|-ge|!=|>|>=)$/.test(operator)) return true
  return /^(-eq|-lt|-le|=|==|<|<=)$/.test(operator) ? false : undefined
}

/** What an assignment makes of its variable. */
function assignedValue(assignment: Assignment, way: Way): string | undefined {
  const { value, index, name } = assignment
  if (value.type !== 'Word' || index !== undefined) return undefined
  const given = valueOf(value, way)
  const isAppended = assignment.append === true
  if (!isAppended || given === undefined) return given
  const before = way.values.get(name)
  return before === undefined ? undefined : before + given
}

/** `before`: when the values were read, such as `$?`. */
export function withAssignments(node: Command, way: Way, before: Way): Way {
  return [...node.prefix, ...node.args].reduce<Way>(
    (after, part) =>
      part.type === 'Assignment'
        ? withValue(after, part.name, assignedValue(part, { ...after, ok: before.ok }))
        : after,
    way,
  )
}

/** Every `$(…)`, backtick and `<(…)` of a command's words, assignments and redirections. */
export function substitutionsOf(command: Command): readonly Substitution[] {
  return allParts(command).flatMap(substitutionsIn)
}

function substitutionsIn(part: WordPart): readonly Substitution[] {
  switch (part.type) {
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      return [part]
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.flatMap(substitutionsIn)
    case 'ParameterExpansion':
      return part.operation?.type === 'Default'
        ? (part.operation.operand.parts ?? []).flatMap(substitutionsIn)
        : []
    default:
      return []
  }
}

/** `${name:?message}` ends the shell; under `set -u` so does a variable that is not set. */
export function mayEndShell(command: Command, { nounset }: Way): boolean {
  return allParts(command).some((part) => mayEnd(part, nounset))
}

function mayEnd(part: WordPart, nounset: boolean): boolean {
  switch (part.type) {
    case 'SimpleExpansion':
      return nounset && /^\$[A-Za-z_\d]/.test(part.text)
    case 'ParameterExpansion':
      return part.operation?.type === 'Default' ? part.operation.operator.endsWith('?') : nounset
    case 'DoubleQuoted':
    case 'LocaleString':
      return part.parts.some((inner) => mayEnd(inner, nounset))
    default:
      return false
  }
}

/** A file that cannot be written or read is a failure of the command. */
export function mayFailToRedirect(redirects: readonly Redirection[]): boolean {
  return redirects.some(
    (one) =>
      one.type === 'Redirect' &&
      !one.operator.endsWith('&') &&
      !/^\/dev\/(null|stdout|stderr)$/.test(one.target?.value ?? ''),
  )
}

function allParts({ name, args, prefix, redirects }: Command): readonly WordPart[] {
  const words: readonly (Parts | undefined)[] = [
    name,
    ...[...args, ...prefix].flatMap((word): readonly Parts[] => {
      if (word.type === 'Word') return [word]
      if (word.type !== 'Assignment') return []
      return word.value.type === 'Word' ? [word.value] : word.value.elements
    }),
    ...redirects.map((one) => (one.type === 'HereDoc' ? one.body : one.target)),
  ]
  return words.flatMap((word) => word?.parts ?? [])
}

/** Shown in a sentence: on one line and not too long. */
export function shortText(text: string): string {
  return truncateText(text.trim().replace(/\s+/g, ' '), maxShownLength)
}

const maxShownLength = 80
