import { parse, type Command, type Statement } from 'unbash'
import { isKnownCheck } from './kinds.ts'
import { wordsOf } from './words.ts'

/**
 * Two honest ways to write a check that our reading of exit codes does not follow, as a line with the same end that it
 * does follow: a variable that remembers every failure (`rc=0; a || rc=1; b || rc=1; exit $rc`), and a server that runs
 * beside the check and is killed after it (`server & pid=$!; npm test; rc=$?; kill $pid; exit $rc`). Undefined: it is
 * neither. Only these forms exactly: whoever writes more than that is read as it stands.
 */
export function plainForm(text: string): string | undefined {
  const withoutServer = withoutServers(text)
  return gathered(withoutServer ?? text) ?? withoutServer
}

function statementsOf(text: string): readonly Statement[] | undefined {
  const script = parse(text)
  return (script.errors ?? []).length > 0 ? undefined : script.commands
}

/** Commands that may end the shell or change what later ones mean. */
const powerful = new Set(
  'exit return exec set trap eval . source alias unalias unset read shift break continue logout'.split(' '),
)

/** Every failure is remembered in a variable that is the end of the line: the same as all of them joined by `&&`. */
function gathered(text: string): string | undefined {
  const [first, ...rest] = statementsOf(text) ?? []
  const last = rest.at(-1)
  const parts = rest.slice(0, -1).filter((part) => !isAside(part, text))
  const name = first === undefined ? undefined : flagSetBy(first, /^0$/)
  if (name === undefined || last === undefined || parts.length === 0) return undefined
  if (!isExitWith(last, name)) return undefined
  const asked = parts.map((part) => rememberedBy(part, name, text))
  return asked.every((part) => part !== undefined) ? asked.join(' && ') : undefined
}

const asides = new Set(['kill', 'wait', 'sleep', 'echo'])

/** Its own end does not matter, and it runs nothing in its words. */
function isAside({ command, background }: Statement, text: string): boolean {
  if (command.type !== 'Command' || background === true || command.prefix.length > 0) return false
  const isQuiet = asides.has(command.name?.value ?? '')
  return isQuiet && !/\$\(|`|<\(|-p/.test(text.slice(command.pos, command.end))
}

/** The variable that a statement sets and does nothing else. */
function flagSetBy({ command, background }: Statement, value: RegExp): string | undefined {
  return command.type === 'Command' && background !== true ? flagOf(command, value) : undefined
}

function flagOf({ name, args, prefix, redirects }: Command, value: RegExp): string | undefined {
  const [assignment] = prefix
  if (name !== undefined || args.length + redirects.length > 0 || prefix.length !== 1) return undefined
  if (assignment?.type !== 'Assignment') return undefined
  const [, variable, given = ''] = /^(\w+)=(.*)$/s.exec(assignment.text) ?? []
  return value.test(given) ? variable : undefined
}

function isExitWith({ command, background }: Statement, name: string): boolean {
  if (command.type !== 'Command' || background === true) return false
  const [program, code, ...more] = wordsOf(command)
  return program === 'exit' && more.length === 0 && (code === `$${name}` || code === `\${${name}}`)
}

/** `a || rc=1`, `a && b || rc=1`: what fails there, as a group. */
function rememberedBy({ command, background }: Statement, name: string, text: string): string | undefined {
  if (command.type !== 'AndOr' || background === true) return undefined
  const commands = command.commands.filter((one) => one.type === 'Command')
  const [last, ...before] = commands.toReversed()
  const [operator, ...operators] = command.operators.toReversed()
  if (commands.length !== command.commands.length || last === undefined || operator !== '||') return undefined
  if (flagOf(last, /^[1-9]\d{0,1}$/) !== name || operators.some((one) => one !== '&&')) return undefined
  const asked = text.slice(command.pos, before[0]?.end)
  const isPlain = before.every((one) => one.name !== undefined && !powerful.has(one.name.value))
  return isPlain && !new RegExp(`\\b${name}\\b`).test(asked) ? `{ ${asked}\n}` : undefined
}

/** What runs beside the line, is no check for all that we know, and is killed in the end. */
function withoutServers(text: string): string | undefined {
  const statements = statementsOf(text) ?? []
  const spans = statements.flatMap(({ command, background }, index) => {
    const next = statements[index + 1]
    const after = statements[index + 2]
    if (background !== true || command.type !== 'Command') return []
    if (next === undefined || after === undefined) return []
    const name = flagSetBy(next, /^"?\$!"?$/)
    const isServer = name !== undefined && isKilled(name, text) && !isKnownCheck(wordsOf(command))
    return isServer ? [{ from: command.pos, to: after.command.pos }] : []
  })
  if (spans.length === 0) return undefined
  return spans.reduceRight((rest, { from, to }) => rest.slice(0, from) + rest.slice(to), text)
}

function isKilled(name: string, text: string): boolean {
  return new RegExp(`\\bkill\\b[^;&|\\n]*\\$\\{?${name}\\b`).test(text)
}
