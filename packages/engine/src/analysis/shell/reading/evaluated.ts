import type { ArithmeticCommand, ParameterExpansionPart, SyntaxNode, Word, WordPart } from 'unbash'
import type { ObstacleKind } from '../decomposition.ts'
import { settingOf } from '../programs/environment.ts'
import { addObstacle, type Place, shorten, spanOf } from './findings.ts'
import { isNumber } from './words.ts'

export function readEvaluated(node: SyntaxNode, place: Place): void {
  switch (node.type) {
    case 'ParameterExpansion':
      readParameter(node, place)
      return
    case 'Assignment':
      readSubscript(node.index, place)
      for (const { text: element, ...at } of node.value.type === 'ArrayValue' ? node.value.elements : [])
        if (/^\[.*\]\+?=/s.test(element)) readSum(element.replace(/^\[(.*)\]\+?=-?\d*$/s, '$1'), at, place)
      return
    case 'TestBinary':
      if (!/^-(eq|ne|lt|le|gt|ge)$/.test(node.operator)) return
      for (const side of [node.left, node.right]) readSum(side.text, side, place)
      return
    case 'TestUnary':
      if (/^-[vR]$/.test(node.operator) && !/^\w+$/.test(node.operand.text))
        readSum(node.operand.text, node.operand, place)
      return
    case 'ArithmeticBinary':
      if (/^(?:[^=!<>]|<<|>>)?=$/.test(node.operator) && node.left.type === 'ArithmeticWord')
        readSetting(/^\w+/.exec(node.left.value)?.[0] ?? '', node.left.value, node.left, place)
      return
    case 'ArithmeticUnary':
      if (/^(?:\+\+|--)$/.test(node.operator) && node.operand.type === 'ArithmeticWord')
        readSetting(/^\w+/.exec(node.operand.value)?.[0] ?? '', node.operand.value, node.operand, place)
      return
    case 'ArithmeticWord':
      readSum(node.value, node, place)
      return
    case 'ArithmeticCommand':
      readAsPlainShell(node, place)
      return
    case 'Word':
      readQuotedSubscript(node, place)
      return
    default:
  }
}

export interface Range {
  readonly pos: number
  readonly end: number
}

export function add(kind: ObstacleKind, reason: string, at: Range, place: Place, subject?: string): void {
  addObstacle({ kind, reason, span: spanOf(at, place), ...(subject === undefined ? {} : { subject }) }, place)
}

export function readSetting(
  name: string,
  shown: string,
  at: Range,
  place: Place,
  value: string | null = null,
): void {
  const found = settingOf(name, shown, value)
  if (found !== undefined) addObstacle({ ...found, span: spanOf(at, place) }, place)
}

/** `${x:=value}` sets it; `${x@P}`, `${!x}`, `${x[index]}` and `${x:offset}` evaluate a text. */
function readParameter(node: ParameterExpansionPart, place: Place): void {
  const { operation, parameter, index, prefix } = node
  if (operation?.type === 'Default' && operation.operator.endsWith('='))
    readSetting(parameter, node.text, node, place)
  readSubscript(index, place)
  if (prefix === '!' && index === undefined && operation?.type !== 'Names') readSum(node.text, node, place)
  if (operation?.type === 'Transform')
    add('dynamic-script', `"${shorten(node.text)}" may run what stands in a variable`, node, place)
  if (operation?.type !== 'Slice') return
  for (const word of [operation.offset, operation.length])
    if (word !== undefined) readSum(word.text, word, place)
}

function readSubscript(index: Word | undefined, place: Place): void {
  if (index !== undefined && index.text !== '@' && index.text !== '*') readSum(index.text, index, place)
}

/** A part of the line that a shell evaluates as arithmetic. With quotes or brackets in it, nothing makes it harmless. */
export function readSum(text: string, at: Range, place: Place): void {
  if (isNumber(text, place.variables)) return
  const reason = `"${shorten(text)}" is evaluated as arithmetic, which runs what stands in a subscript`
  add('dynamic-script', reason, at, place, /["'`(]/.test(text) ? undefined : text)
}

/** `a['$(program)']` runs wherever a builtin evaluates it, so that no subject makes it harmless. */
function readQuotedSubscript(word: Word, place: Place): void {
  const text = (word.parts ?? []).map(literalIn).join('')
  if (/\[.*(?:\$\(|`)/s.test(text))
    add('dynamic-script', `"${shorten(word.text)}" may be run where it is read as arithmetic`, word, place)
}

/** Returns the literal text, with `_` for expansions. */
function literalIn(part: WordPart): string {
  if (part.type === 'DoubleQuoted' || part.type === 'LocaleString') return part.parts.map(literalIn).join('')
  if (part.type === 'Glob' || part.type === 'BraceExpansion') return part.text
  return part.type === 'Literal' || part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted'
    ? part.value
    : '_'
}

/** `i++`, `i += 2`, `i < 3`. */
const usualSum = /^\s*\w+\s*(?:\+\+|--|(?:[-+*/%=!<>]?=|[-+*/%<>])\s*\w+)?\s*$/

/** To a plain `sh`, `((a; b))` starts `a` and `b`. */
function readAsPlainShell(node: ArithmeticCommand, place: Place): void {
  if (!usualSum.test(node.body) && !isNumber(node.body, place.variables))
    add('syntax', `a plain sh would run "${shorten(node.body)}"`, node, place)
}
