import type { Command, CommandNode, ParsedScript, PipelineNode, Redirection, Statement } from 'unbash'
import { literalText } from './word.ts'

/** Standard input of a command. */
export interface Input {
  /** Null: only known when it runs. */
  readonly text: string | null
  /** It is written in the line, and nothing else can come in. */
  readonly isSure: boolean
}

export const unknownInput: Input = { text: null, isSure: false }

/** What `$(…)` becomes where it only prints what is written there; undefined: it cannot be told. */
export function outputOf(script: ParsedScript | undefined): string | undefined {
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
