/** Reads a shell text: what its exit code tells of the programs that it runs. */
import {
  parse,
  type AndOr,
  type Case,
  type CommandNode,
  type CompoundList,
  type Function as ShellFunction,
  type If,
  type Pipeline,
  type PipelineNode,
  type Statement,
  type While,
} from 'unbash'
import { awaited, both, branch, either, followed, looped, negated, oneOf, piped } from './combine.ts'
import { enclosed, lose, nothing, statusOf, type Effect } from './effect.ts'
import { evaluateCommand, evaluateTest } from './evaluate-command.ts'
import { guarded, perhaps, subshellOf, type ShellState } from './shell-state.ts'
import { shownText } from './words.ts'

/** Deeper or longer is written by nobody who wants it to be read. */
const deepest = 40
const mostSteps = 50_000

export function evaluateText(text: string, state: ShellState): Effect {
  const script = parse(text)
  const [problem] = script.errors ?? []
  if (problem !== undefined)
    state.reading.unreadable ??= `"${shownText(text)}" cannot be read: ${problem.message}`
  return evaluateList(script.commands, text, state)
}

function evaluateList(statements: readonly Statement[], text: string, state: ShellState): Effect {
  state.reading.steps += statements.length
  if (state.depth > deepest || state.reading.steps > mostSteps) {
    state.reading.unreadable ??= 'it is nested too deep or too long to be read'
    return nothing
  }
  let effect: Effect = nothing
  for (const [index, statement] of statements.entries()) {
    // The first one still sees the status of what ran before the list.
    if (index > 0) state.previous = statusOf(effect)
    const errexit = hasErrexit(state)
    effect = followed(effect, evaluateStatement(statement, text, state), errexit)
  }
  return effect
}

function evaluateStatement({ command, background }: Statement, text: string, state: ShellState): Effect {
  if (background !== true) return evaluateNode(command, text, state)
  const effect = enclosed(evaluateNode(command, text, subshellOf(state)))
  const strong = [...effect.carried, ...effect.inverted].filter(({ kind }) => kind !== 'setup')
  return { ...nothing, lost: [...effect.lost, ...lose(strong, 'background', 'is not waited for: "&"')] }
}

function evaluateNode(node: PipelineNode | AndOr, text: string, state: ShellState): Effect {
  switch (node.type) {
    case 'AndOr':
      return evaluateAndOr(node, text, state)
    case 'Pipeline':
      return evaluatePipeline(node, text, state)
    default:
      return evaluateSingle(node, text, state)
  }
}

function evaluateAndOr({ commands, operators }: AndOr, text: string, state: ShellState): Effect {
  let effect: Effect | undefined
  for (const [index, command] of commands.entries()) {
    const isLast = index === commands.length - 1
    if (effect !== undefined) state.previous = statusOf(effect)
    const evaluate = () => evaluateNode(command, text, state)
    const inPlace = index === 0 ? evaluate : () => perhaps(state, evaluate)
    const next: Effect = isLast ? inPlace() : guarded(state, inPlace)
    const shown = shownText(text.slice(command.pos, command.end))
    if (effect === undefined) effect = next
    else effect = operators[index - 1] === '&&' ? both(effect, next) : either(effect, next, shown)
  }
  return effect ?? nothing
}

function evaluatePipeline(
  { prefixes, commands, operators }: Pipeline,
  text: string,
  state: ShellState,
): Effect {
  const isNegated = prefixes.filter(({ type }) => type === 'Negation').length % 2 === 1
  const evaluate = (): Effect => {
    const parts = commands.map((command) =>
      evaluateSingle(command, text, operators.length === 0 ? state : subshellOf(state)),
    )
    const [first = nothing, ...rest] = parts
    const effect = rest.reduce<Effect>((before, next) => piped(before, next, state.pipefail), first)
    state.pipeline = effect.lost.filter(({ cause }) => cause === 'pipe').map(({ check }) => check)
    return effect
  }
  return isNegated ? negated(guarded(state, evaluate)) : evaluate()
}

function evaluateSingle(node: CommandNode, text: string, state: ShellState): Effect {
  switch (node.type) {
    case 'Command':
      return evaluateCommand(node, text, state)
    case 'Subshell':
      return enclosed(evaluateList(node.body.commands, text, subshellOf(state)))
    case 'BraceGroup':
      return evaluateList(node.body.commands, text, state)
    case 'Redirected':
      return evaluateSingle(node.command, text, state)
    case 'If':
      return evaluateIf(node, text, state)
    case 'While':
      return evaluateWhile(node, text, state)
    case 'For':
    case 'ArithmeticFor':
    case 'Select':
      return evaluateRounds(node.body, text, state)
    case 'Case':
      return evaluateCase(node, text, state)
    case 'Function': {
      const { body } = node
      state.functions.set(node.name.value, (caller) => calledFunction(body, text, caller))
      return nothing
    }
    case 'TestCommand':
    case 'ArithmeticCommand':
      return evaluateTest(text.slice(node.pos, node.end), state)
    case 'Coproc':
      state.reading.unreadable ??= '"coproc" runs it beside the line'
      return nothing
  }
}

function evaluateIf(node: If, text: string, state: ShellState): Effect {
  const list = ({ commands }: CompoundList) => evaluateList(commands, text, state)
  const branchOf = (body: CompoundList) => perhaps(state, () => list(body))
  const condition = guarded(state, () => list(node.clause))
  const yes = branchOf(node.then)
  const chosen = node.elif.map(({ clause, then }) => ({
    condition: guarded(state, () => list(clause)),
    yes: branchOf(then),
  }))
  const no = node.else === undefined ? nothing : branchOf(node.else)
  const rest = chosen.reduceRight<Effect>((other, next) => branch(next.condition, next.yes, other), no)
  return branch(condition, yes, rest)
}

function evaluateWhile({ clause, body }: While, text: string, state: ShellState): Effect {
  const condition = guarded(state, () => evaluateList(clause.commands, text, state))
  return awaited(condition, evaluateRounds(body, text, state))
}

function evaluateRounds({ commands }: CompoundList, text: string, state: ShellState): Effect {
  const errexit = hasErrexit(state)
  return looped(
    perhaps(state, () => evaluateList(commands, text, state)),
    errexit,
  )
}

function hasErrexit({ errexit, isGuarded }: ShellState): boolean {
  return errexit && !isGuarded
}

function evaluateCase({ items }: Case, text: string, state: ShellState): Effect {
  const branches = items.map(({ body }) => perhaps(state, () => evaluateList(body.commands, text, state)))
  const hasDefault = items.some(({ pattern }) => pattern.some(({ value }) => value === '*'))
  return oneOf(branches, hasDefault)
}

/** A call of a function of the line: `return` ends it, `exit` ends the shell. */
function calledFunction(body: ShellFunction['body'], text: string, state: ShellState): Effect {
  state.reading.steps += 1
  if (state.depth > deepest || state.reading.steps > mostSteps) {
    state.reading.unreadable ??= 'a function calls itself'
    return nothing
  }
  const inside: ShellState = { ...state, depth: state.depth + 1 }
  const effect =
    body.type === 'CompoundList'
      ? evaluateList(body.commands, text, inside)
      : evaluateSingle(body, text, inside)
  const returns = /\breturn\b/.test(text.slice(body.pos, body.end))
  return returns ? enclosed(effect) : effect
}
