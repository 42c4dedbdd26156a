/** What the text of a line says of its end: success is written into `npm test || true`, and nothing of the work can make it fail. */
import { parse, type AndOr, type Command, type Statement } from 'unbash'

type Node = Statement['command']

/** Programs that only show or keep what a pipe hands them. */
const showing = new Set('tee cat head tail less more sort uniq wc tr cut column ts'.split(' '))
/** With one of these the end of a line need not be the end of its last command. */
const steering =
  /(?:^|[\s;&|({])(?:set|exec|trap|eval|source|\.|kill|shopt|alias|return|exit(?!\s+0\b))(?:[\s;&|)}]|$)/u
const shell = /^(?:\S*\/)?(?:ba|da|z|k|a)?sh$/u

/** Whether a line for the shell ends with exit code 0 by its text alone. False for a line that no shell can read. */
export function isSuccessWritten(line: string): boolean {
  if (steering.test(line)) return false
  const { errors = [], commands } = parse(line)
  return errors.length === 0 && listSucceeds(commands)
}

/** Whether a line passes because something is absent, such as `! grep -r TODO src`: a broken product cannot turn it red. */
export function asksForAbsence(line: string): boolean {
  const { errors = [], commands } = parse(line)
  const last = commands.at(-1)?.command
  const end = last?.type === 'AndOr' ? last.commands.at(-1) : last
  return (
    errors.length === 0 && end?.type === 'Pipeline' && end.prefixes.some(({ type }) => type === 'Negation')
  )
}

function listSucceeds(statements: readonly Statement[]): boolean {
  const last = statements.at(-1)
  return last !== undefined && (last.background === true || succeeds(last.command))
}

function succeeds(node: Node): boolean {
  switch (node.type) {
    case 'AndOr':
      return chainSucceeds(node)
    case 'Pipeline': {
      const last = node.commands.at(-1)
      return node.prefixes.length === 0 && last !== undefined && (isShown(last) || succeeds(last))
    }
    case 'Command':
      return commandSucceeds(node)
    case 'Subshell':
    case 'BraceGroup':
      return listSucceeds(node.body.commands)
    default:
      return false
  }
}

/** Both sides of `&&` have to succeed, and one side of `||`. */
function chainSucceeds({ commands, operators }: AndOr): boolean {
  const ends = commands.map(succeeds)
  return ends.reduce((before, own, index) => (operators[index - 1] === '||' ? before || own : before && own))
}

function isShown(node: Node): boolean {
  return node.type === 'Command' && showing.has(node.name?.value ?? '')
}

/** A redirection to a file may fail. */
function commandSucceeds({ name, args, redirects }: Command): boolean {
  if (name === undefined || redirects.some(({ operator }) => !operator.includes('&'))) return false
  const words = args.map((arg) => (arg.type === 'Word' ? arg.value : ''))
  if (['true', ':', 'echo'].includes(name.value)) return true
  if (name.value === 'exit') return words[0] === '0'
  return shell.test(name.value) && words[0] === '-c' && isSuccessWritten(words[1] ?? '')
}
