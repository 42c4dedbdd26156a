import { forEachChild, type ParsedScript, type Pipeline, type Redirect, type SyntaxNode } from 'unbash'
import type { Decomposition, Span } from './decomposition.ts'
import { inputOf, printedBy, readCommand } from './reading/commands.ts'
import { add, readEvaluated, readSetting, readSum } from './reading/evaluated.ts'
import {
  addObstacle,
  addRead,
  addSecondText,
  addTooDeep,
  addWrite,
  maxLength,
  newFindings,
  type Place,
  shorten,
  spanOf,
  toDecomposition,
} from './reading/findings.ts'
import { literalText, noVariables, parseScript, variablesIn } from './reading/words.ts'

/** Several callers decompose the same line in a row. */
let latest: { readonly script: string; readonly found: Decomposition } | undefined

/** Finds every literal command, and an obstacle for each part only known at run time. Never throws. */
export function decompose(script: string): Decomposition {
  if (latest?.script !== script) latest = { script, found: decomposeScript(script) }
  return latest.found
}

function decomposeScript(script: string): Decomposition {
  const findings = newFindings(script.length)
  const place: Place = {
    ...{ findings, base: 0, at: 0, through: [], depth: 0 },
    ...{ variables: noVariables, input: undefined, isSecond: false },
  }
  readText(script, place)
  for (
    let next = findings.texts.shift();
    next !== undefined && !findings.isFull;
    next = findings.texts.shift()
  )
    readText(next.text, next.place)
  return toDecomposition(findings)
}

function readText(given: string, place: Place): void {
  const text = boundText(given, place)
  const script = parseScript(text)
  const [error] = script?.errors ?? []
  if (script === undefined) addTooDeep(text, place)
  if (error !== undefined) {
    const reason = `"${shorten(text.slice(error.pos) || text)}" cannot be read: ${error.message}`
    const span: Span = place.base === null ? null : [place.base, place.base + text.length]
    addObstacle({ kind: 'syntax', reason, span }, place)
  }
  if (script !== undefined) walkWhole(script, text, place)
  const [ambiguous] = readDifferently.exec(text) ?? []
  if (ambiguous !== undefined)
    addObstacle(
      { kind: 'syntax', reason: `shells read ${JSON.stringify(ambiguous)} in two ways`, span: null },
      place,
    )
}

/** A plain `sh` has no `$'…'`, so that the quotes end at `\'`. Some shells ignore a carriage return. */
const readDifferently = /\$'[^']*\\'|\r(?:$|[\n;&|])/

function walkWhole(script: ParsedScript, text: string, place: Place): void {
  try {
    const own = variablesIn(script, text)
    const texts = new Map([...place.variables.texts, ...own.texts])
    walk(script, text, { ...place, variables: { ...own, texts } })
  } catch (problem) {
    if (!(problem instanceof RangeError)) throw problem
    addTooDeep(text, place)
  }
}

function boundText(text: string, place: Place): string {
  if (text.includes('\0'))
    addObstacle(
      { kind: 'syntax', reason: 'there is a zero byte in it, which no command can have', span: null },
      place,
    )
  if (text.length > maxLength) {
    const reason = `it is longer than the ${maxLength} characters that are read`
    addObstacle({ kind: 'too-deep', reason, span: null }, place)
  }
  return text.slice(0, maxLength).replaceAll('\0', ' ')
}

/** Finds all that is run in a part of a parsed text. */
function walk(node: SyntaxNode, text: string, place: Place): void {
  if (place.findings.isFull) return
  switch (node.type) {
    case 'Command':
      readCommand(node, place)
      break
    case 'Pipeline':
      walkPipeline(node, text, place)
      return
    case 'Redirected':
      for (const redirect of node.redirects) walk(redirect, text, place)
      walk(node.command, text, { ...place, input: inputOf(node.redirects) ?? place.input })
      return
    case 'Function':
      add(
        'redefinition',
        `"${shorten(node.name.text)}" is defined as a function`,
        node.name,
        place,
        node.name.text,
      )
      break
    case 'For':
    case 'Select':
      readSetting(node.name.value, node.name.text, node.name, place)
      break
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      if (node.type === 'ArithmeticCommandExpansion') readSum(node.text, node, place)
      walkSubstitution(node, text, place)
      return
    case 'Redirect':
      readRedirection(node, place)
      break
    default:
      readEvaluated(node, place)
  }
  forEachChild(node, (child) => walk(child, text, place))
}

function walkPipeline(node: Pipeline, text: string, place: Place): void {
  let { input } = place
  for (const [index, command] of node.commands.entries()) {
    walk(command, text, index === 0 ? place : { ...place, input: input ?? { text: null, isSure: false } })
    input = { text: printedBy(command, index === 0 ? undefined : input), isSure: false }
  }
}

type Substitution = Extract<
  SyntaxNode,
  { type: 'CommandExpansion' | 'ArithmeticCommandExpansion' | 'ProcessSubstitution' }
>

function walkSubstitution(node: Substitution, text: string, place: Place): void {
  const { script } = node
  const isOutput = node.type === 'ProcessSubstitution' && node.operator === '>'
  const inner: Place = isOutput ? { ...place, input: { text: null, isSure: false } } : place
  if (script === undefined || script.errors !== undefined) {
    add('syntax', `"${shorten(node.text)}" cannot be read`, node, place)
    addSecondText(node.text.replace(/^(\$\(|`|\$\{|[<>]\()|[`)}]$/g, ''), spanOf(node, place), inner)
  }
  if (script === undefined) return
  if (script.source === undefined) walk(script, text, inner)
  else walk(script, script.source, { ...inner, base: null, at: spanOf(node, place)?.[0] ?? place.at })
}

/** Records a file that is opened. A network connection counts as written. */
function readRedirection({ operator, target }: Redirect, place: Place): void {
  if (target === undefined) return
  const path = literalText(target)
  const span = spanOf(target, place)
  const isConnection = path !== null && /^\/dev\/(?:tcp|udp)\//.test(path)
  if ((operator === '<' || operator === '<>') && !isConnection)
    addRead({ path, written: target.text, span }, place)
  if (!isConnection && (operator === '<' || operator === '<&')) return
  // `2>&1`, `>&-`: no file.
  if (operator === '>&' && path !== null && /^(\d+-?|-)$/.test(path)) return
  if (target.parts?.every(({ type }) => type === 'ProcessSubstitution') === true) return
  addWrite(path, span, place)
}
