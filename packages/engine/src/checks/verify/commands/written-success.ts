/** Detects lines that succeed by their text alone, such as `npm test || true`. */
import { parse, type AndOr, type Command, type Statement } from 'unbash'

type Node = Statement['command']

/** Programs that only show or store their input. */
const showing = new Set('tee cat head tail less more sort uniq wc tr cut column ts'.split(' '))
/** After one of these the line's exit code may differ from its last command's. */
const steering =
  /(?:^|[\s;&|({])(?:set|exec|trap|eval|source|\.|kill|shopt|alias|return|exit(?!\s+0\b))(?:[\s;&|)}]|$)/u
const shell = /^(?:\S*\/)?(?:ba|da|z|k|a)?sh$/u

/** Whether a line exits with 0 by its text alone; false if unparsable. */
export function isSuccessWritten(line: string): boolean {
  if (steering.test(line)) return false
  const { errors = [], commands } = parse(line)
  return errors.length === 0 && listSucceeds(commands)
}

/** Whether a line passes if something is absent (`! grep -r TODO src`): a broken product cannot fail it. */
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

/** Both sides of `&&` must succeed, or one of `||`. */
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
