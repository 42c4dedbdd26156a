import {
  type ArithmeticCommand,
  type ArithmeticExpression,
  forEachChild,
  type Function as FunctionNode,
  type ParameterExpansionPart,
  parse,
  type Pipeline,
  type Redirect,
  type Redirected,
  type Script,
  type SyntaxNode,
  type TestCommand,
  type Word,
} from 'unbash'
import { isHarmlessVariable } from '../environment.ts'
import {
  addObstacle,
  addRead,
  addSecondText,
  addWrite,
  formatText,
  type ReadingContext,
  spanOf,
} from '../reading-state.ts'
import {
  addSimple,
  readCommand,
  readComparison,
  readTest,
  readArithmetic,
  readEvaluated,
  type Written,
  readParameterArithmetic,
  addHidden,
} from './command.ts'
import { inputOf, outputOfCommand, unknownInput } from '../words/resolve.ts'
import { literalRemains, literalText, literalWord, readWord } from '../words/word.ts'

/** Finds all that would be run in a part of a parsed text, which is `text`. */
export function walk(node: SyntaxNode, text: string, place: ReadingContext): void {
  if (place.ledger.isFull) return
  switch (node.type) {
    case 'Command':
      readCommand(node, place)
      break
    case 'Pipeline':
      walkPipeline(node, text, place)
      return
    case 'Redirected':
      walkRedirected(node, text, place)
      return
    case 'Function':
      readFunction(node, place)
      break
    case 'For':
    case 'Select':
      readSetting(node.name.value, node.name, place)
      break
    case 'ParameterExpansion':
      readParameter(node, place)
      break
    case 'TestBinary':
      readComparison(node, place)
      break
    case 'TestUnary':
      readTest(node, place)
      break
    case 'ArithmeticBinary':
      if (/^(?:[^=!<>]|<<|>>)?=$/.test(node.operator)) readCount(node.left, place)
      break
    case 'ArithmeticUnary':
      if (/^(?:\+\+|--)$/.test(node.operator)) readCount(node.operand, place)
      break
    case 'TestCommand':
    case 'ArithmeticCommand':
      readAsPlainShell(node, text, place)
      break
    case 'Word':
      readHidden(node, place)
      break
    case 'ArithmeticWord':
      readArithmetic(node, place)
      break
    case 'Redirect':
      readRedirection(node, place)
      break
    case 'ArithmeticCommandExpansion':
      readEvaluated(node, place)
      walkSubstitution(node, text, place)
      return
    case 'CommandExpansion':
    case 'ProcessSubstitution':
      walkSubstitution(node, text, place)
      return
    default:
  }
  forEachChild(node, (child) => walk(child, text, place))
}

type Substitution = Extract<
  SyntaxNode,
  { type: 'CommandExpansion' | 'ArithmeticCommandExpansion' | 'ProcessSubstitution' }
>

/** A text of its own where its backslashes had to be taken away first; then its positions are not those of the line. */
function walkSubstitution(node: Substitution, text: string, place: ReadingContext): void {
  const { script } = node
  const inner: ReadingContext =
    node.type === 'ProcessSubstitution' && node.operator === '>' ? { ...place, input: unknownInput } : place
  if (script === undefined || script.errors !== undefined) {
    addObstacle('syntax', `"${formatText(node.text)}" cannot be read`, spanOf(node, place), place)
    const bare = node.text.replace(/^(\$\(|`|\$\{|[<>]\()|[`)}]$/g, '')
    addSecondText(bare, spanOf(node, place), inner)
  }
  if (script === undefined) return
  if (script.source === undefined) walk(script, text, inner)
  else {
    const own = spanOf(node, place) ?? place.holder
    walk(script, script.source, { ...inner, base: null, at: own?.[0] ?? place.at, holder: own })
  }
}

function walkPipeline(node: Pipeline, text: string, place: ReadingContext): void {
  let input = place.input
  for (const [index, command] of node.commands.entries()) {
    const inner = index === 0 ? place : { ...place, input: input ?? unknownInput }
    walk(command, text, inner)
    input = { text: outputOfCommand(command, inner.input) ?? null, isSure: false }
  }
  const [first] = node.commands
  const isTimed = node.prefixes.some(({ type }) => type === 'Time')
  // Where `time` is a program, its options are words of it.
  if (isTimed && first?.type === 'Command' && first.name?.text.startsWith('-') === true) {
    const args = [first.name, ...first.args].flatMap((word) =>
      word.type === 'Word' ? readWord(word, spanOf(word, place)) : [],
    )
    addSimple([literalWord('time'), ...args], { ...place, isSecond: true })
  }
}

function walkRedirected(node: Redirected, text: string, place: ReadingContext): void {
  for (const redirect of node.redirects) walk(redirect, text, place)
  walk(node.command, text, { ...place, input: inputOf(node.redirects) ?? place.input })
}

/** A file that is opened for reading or writing; a connection, which is written as a file, too. */
function readRedirection({ operator, target }: Redirect, place: ReadingContext): void {
  if (target === undefined) return
  const path = literalText(target)
  if (path?.startsWith('/dev/tcp/') === true || path?.startsWith('/dev/udp/') === true) {
    addWrite(path, spanOf(target, place), place)
    return
  }
  if (operator === '<' || operator === '<>')
    addRead({ path, written: target.text, span: spanOf(target, place) }, place)
  if (operator === '<' || operator === '<&') return
  // `2>&1`, `>&-`: no file.
  if (operator === '>&' && path !== null && /^(\d+-?|-)$/.test(path)) return
  if (target.parts?.every(({ type }) => type === 'ProcessSubstitution') === true) return
  addWrite(path, spanOf(target, place), place)
}

function readFunction({ name }: FunctionNode, place: ReadingContext): void {
  const reason = `"${formatText(name.text)}" is defined as a function`
  addObstacle('redefinition', reason, spanOf(name, place), place, name.text)
}

function readSetting(name: string, node: Written, place: ReadingContext): void {
  if (isHarmlessVariable(name, null)) return
  const reason = `"${formatText(node.text)}" sets a variable that can change what programs do`
  addObstacle('environment', reason, spanOf(node, place), place, name)
}

/** `${x:=value}` sets it; `${x@P}` runs what stands in it. */
function readParameter(node: ParameterExpansionPart, place: ReadingContext): void {
  const { operation, parameter } = node
  readParameterArithmetic(node, place)
  if (operation?.type === 'Default' && operation.operator.endsWith('=')) readSetting(parameter, node, place)
  if (operation?.type !== 'Transform') return
  const reason = `"${formatText(node.text)}" may run what stands in a variable`
  addObstacle('dynamic-script', reason, spanOf(node, place), place)
}

/** A variable that arithmetic sets. */
function readCount(target: ArithmeticExpression, place: ReadingContext): void {
  if (target.type !== 'ArithmeticWord') return
  const name = /^\w+/.exec(target.value)?.[0] ?? target.value
  readSetting(name, { text: target.value, pos: target.pos, end: target.end }, place)
}

/** `a[$(program)]` in quotes is run where a builtin evaluates it. */
function readHidden(word: Word, place: ReadingContext): void {
  const text = literalRemains(word.parts, word.text)
  if (!/\[.*(?:\$\(|`)/s.test(text)) return
  const reason = `"${formatText(word.text)}" may be run where it is read as arithmetic`
  addObstacle('dynamic-script', reason, spanOf(word, place), place, word.text)
  addHidden(text, word, place)
}

/*
 * Arithmetic is code: subscripts in it, and in the values of its names, are expanded once more, where `a[$(program)]` runs
 * something, however it is quoted. So nothing is known of arithmetic but that of numbers.
 */

/**
 * `[[ a || b ]]` and `((a; b))` are grammar to `bash`; to a plain `sh` they are commands, so that `b` is run.
 * Both readings count where it is not known which shell it is.
 */
function readAsPlainShell(node: TestCommand | ArithmeticCommand, text: string, place: ReadingContext): void {
  if (place.isBash) return
  const body = node.type === 'ArithmeticCommand' ? node.body : insideBrackets(text.slice(node.pos, node.end))
  if (body === undefined) return
  const script = parse(body)
  if (script.errors !== undefined || !hasProgram(script)) return
  addSecondText(body, spanOf(node, place), place)
}

/** What stands behind the first operator of the shell; before it there are only words of `[[`. */
function insideBrackets(text: string): string | undefined {
  const from = /[&|;<>\n]/.exec(text)
  return from === null ? undefined : `: ${text.slice(from.index)}`
}

/** Something in it could be the name of a program, other than an operand of a test or of a sum. */
function hasProgram({ commands }: Script): boolean {
  return commands.some(({ command }) => {
    const parts = command.type === 'AndOr' ? command.commands : [command]
    return parts.some(
      (part) =>
        part.type !== 'Command' ||
        (/^[\w./\\'"$`][\w./\\'"$`+-]*$/.test(part.name?.text ?? '') &&
          !/^(-|\d+$|:$)|(\+\+|--)$/.test(part.name?.text ?? '')),
    )
  })
}
