/** Follows every way through the syntax tree of a shell text. */
import type {
  AndOr,
  Case,
  CommandNode,
  CompoundList,
  If,
  Pipeline,
  PipelineNode,
  Redirection,
  Statement,
  While,
} from 'unbash'
import { runCommand } from './command.ts'
import { decides } from './kinds.ts'
import { isExhausted, parseText, type Reading } from './reading.ts'
import { functionKey, inSubshell, onEach, withErrexit, type Place } from './shell.ts'
import { isTrue, runTest } from './test-command.ts'
import { distinct, eitherOf, withFailure, keyOf, withSuccess, withValue, type Way } from './way.ts'
import { afterArithmetic, arithmetic, mayFailToRedirect, wordsOf } from './words.ts'

export function newPlace(reading: Reading): Place {
  const functions: Place['functions'] = new Map()
  return { reading, text: '', isCondition: false, isJudged: false, depth: 0, functions, runText }
}

const maxDepth = 60
const maxWays = 100

/** A whole text, from its beginning to its end. Undefined: it cannot be read. */
function runText(text: string, way: Way, place: Place): readonly Way[] | undefined {
  const script = parseText(text, place.reading)
  return (
    script && runList(script.commands, way, { ...place, text: script.source ?? text, depth: place.depth + 1 })
  )
}

function runList(statements: readonly Statement[], way: Way, place: Place): readonly Way[] {
  let ways: readonly Way[] = [way]
  for (const statement of statements) {
    ways = onEach(ways, (each) => runStatement(statement, each, place))
    if (ways.length > maxWays) place.reading.unreadable ??= 'there are too many ways through it'
    if (isExhausted(place.reading)) return eitherOf(way)
  }
  return ways
}

function runStatement({ command, background }: Statement, way: Way, place: Place): readonly Way[] {
  if (background !== true) return runNode(command, way, place)
  const ends = inSubshell(way, place, (inside, walls) => runNode(command, inside, walls))
  return distinct(ends.map((end) => ({ ...withValue(end, '!', end.ok ? 'job 0' : 'job 1'), ok: true })))
}

function runNode(node: PipelineNode | AndOr, way: Way, place: Place): readonly Way[] {
  if (place.depth > maxDepth || isExhausted(place.reading)) return eitherOf(way)
  switch (node.type) {
    case 'AndOr':
      return runAndOr(node, way, place)
    case 'Pipeline':
      return runPipeline(node, way, place)
    default:
      return runSingle(node, way, place)
  }
}

function runAndOr({ commands, operators }: AndOr, way: Way, place: Place): readonly Way[] {
  let ways: readonly Way[] = [way]
  for (const [index, command] of commands.entries()) {
    const isCondition = place.isCondition || index < commands.length - 1
    const wanted = operators[index - 1]
    ways = onEach(ways, (each) =>
      wanted === undefined || each.ok === (wanted === '&&')
        ? runNode(command, each, { ...place, isCondition })
        : [each],
    )
  }
  return ways
}

function runPipeline({ prefixes, commands }: Pipeline, way: Way, place: Place): readonly Way[] {
  const isNegated = prefixes.filter(({ type }) => type === 'Negation').length % 2 === 1
  const inside = isNegated ? { ...place, isCondition: true } : place
  const [only] = commands
  if (commands.length === 1 && only !== undefined)
    return runSingle(only, way, inside).map((end) =>
      isNegated && end.leaving === 'nothing' ? { ...end, ok: !end.ok } : end,
    )
  const ends = walkPipeline(commands, way, inside)
  return isNegated ? ends.map((end) => ({ ...end, ok: !end.ok })) : withErrexit(ends, inside)
}

function walkPipeline(commands: readonly CommandNode[], way: Way, place: Place): readonly Way[] {
  const last = commands.at(-1)
  const isJudged = last?.type === 'Command' && decides(wordsOf(last, way)) && !way.pipefail
  let ways: readonly Way[] = [withSuccess(way)]
  for (const [index, command] of commands.entries()) {
    const isLast = index === commands.length - 1
    const inside = { ...place, isCondition: false, isJudged: place.isJudged || (isJudged && !isLast) }
    ways = onEach(ways, (each) =>
      inSubshell({ ...each, ok: way.ok }, inside, (start, walls) => runSingle(command, start, walls)).map(
        (end) => ({
          ...withPipeStatus(end, index, place),
          ok: way.pipefail ? each.ok && end.ok : end.ok,
        }),
      ),
    )
  }
  return ways
}

function withPipeStatus(way: Way, index: number, { text }: Place): Way {
  return text.includes('PIPESTATUS') ? withValue(way, `PIPESTATUS[${index}]`, way.ok ? '0' : '1') : way
}

function runSingle(node: CommandNode, way: Way, place: Place): readonly Way[] {
  switch (node.type) {
    case 'Command':
      return withErrexit(runCommand(node, way, place), place)
    case 'Subshell':
      return withErrexit(
        inSubshell(way, place, (inside, walls) => runList(node.body.commands, inside, walls)),
        place,
      )
    case 'BraceGroup':
      return runList(node.body.commands, way, place)
    case 'Redirected':
      return withRedirects(node.redirects, runSingle(node.command, way, place), place)
    case 'If':
      return runIf(node, way, place)
    case 'While':
      return runWhile(node, way, place)
    case 'For':
    case 'Select':
      return runRounds(node.body, withValue(way, node.name.text, undefined), place)
    case 'ArithmeticFor':
      return runRounds(node.body, afterArithmetic(place.text.slice(node.pos, node.body.pos), way), place)
    case 'Case':
      return runCase(node, way, place)
    case 'Function': {
      const { body } = node
      const id = `${node.pos}`
      place.functions.set(`${node.name.value} ${id}`, (caller, from) => {
        const inside = { ...from, text: place.text, depth: from.depth + 1 }
        const ends =
          body.type === 'CompoundList'
            ? runList(body.commands, caller, inside)
            : runNode(body, caller, inside)
        return ends.map((end) => (end.leaving === 'function' ? { ...end, leaving: 'nothing' } : end))
      })
      return [withValue(withSuccess(way), functionKey(node.name.value), id)]
    }
    case 'TestCommand':
      return withErrexit(runTest(isTrue(node.expression, way), node, way, place), place)
    case 'ArithmeticCommand': {
      const value = node.expression === undefined ? undefined : arithmetic(node.expression, way)
      const after = afterArithmetic(node.body, way)
      const ends = value === undefined ? eitherOf(after) : [{ ...after, ok: value !== '0' }]
      return withErrexit(ends, place)
    }
    case 'Coproc':
      return eitherOf(way)
  }
}

function withRedirects(
  redirects: readonly Redirection[],
  ways: readonly Way[],
  place: Place,
): readonly Way[] {
  if (!mayFailToRedirect(redirects)) return ways
  return distinct([
    ...ways,
    ...withErrexit(
      ways.map((way) => withFailure({ ...way, leaving: 'nothing' })),
      place,
    ),
  ])
}

function runIf(node: If, way: Way, place: Place): readonly Way[] {
  const condition = { ...place, isCondition: true }
  const parts = [{ clause: node.clause, then: node.then }, ...node.elif]
  const otherwise = node.else
  const from = (index: number, start: Way): readonly Way[] => {
    const part = parts[index]
    if (part === undefined)
      return otherwise === undefined ? [withSuccess(start)] : runList(otherwise.commands, start, place)
    return onEach(runList(part.clause.commands, start, condition), (asked) =>
      asked.ok ? runList(part.then.commands, asked, place) : from(index + 1, asked),
    )
  }
  return from(0, way)
}

function runWhile({ kind, clause, body }: While, way: Way, place: Place): readonly Way[] {
  const condition = { ...place, isCondition: true }
  return rounds(way, place, (start) => {
    const asked = runList(clause.commands, start, condition)
    const goesOn = (each: Way) => each.leaving === 'nothing' && each.ok === (kind === 'while')
    return {
      // The end of a loop is that of its last round.
      over: asked
        .filter((each) => !goesOn(each))
        .map((each) => (each.leaving === 'nothing' ? { ...each, ok: start === way || start.ok } : each)),
      again: asked.filter(goesOn).flatMap((each) => runList(body.commands, each, place)),
    }
  })
}

/** A loop over words, of which there may be none. */
function runRounds(body: CompoundList, way: Way, place: Place): readonly Way[] {
  return rounds(way, place, (start) => ({
    over: [start === way ? withSuccess(start) : start],
    again: runList(body.commands, start, place),
  }))
}

/** As many rounds as show something new. @param round the ways on which it was the last, and the others */
function rounds(
  way: Way,
  { reading }: Place,
  round: (start: Way) => Readonly<Record<'over' | 'again', readonly Way[]>>,
): readonly Way[] {
  const seen = new Set<string>()
  const over: Way[] = []
  const waiting = [way]
  for (let start = waiting.pop(); start !== undefined; start = waiting.pop()) {
    if (seen.size > maxWays || isExhausted(reading)) return eitherOf(way)
    const { over: ended, again } = round(start)
    over.push(...ended)
    for (const each of again) {
      const isLeft = each.leaving === 'function' || each.leaving === 'shell'
      if (isLeft) over.push(each)
      // A round that is left may have been the last one.
      else if (each.leaving === 'round') over.push({ ...each, leaving: 'nothing' })
      const next: Way = { ...each, leaving: 'nothing' }
      if (isLeft || seen.has(keyOf(next))) continue
      seen.add(keyOf(next))
      waiting.push(next)
    }
  }
  return distinct(over)
}

function runCase({ items }: Case, way: Way, place: Place): readonly Way[] {
  const hasDefault = items.some(({ pattern }) => pattern.some(({ value }) => value === '*'))
  const bodies = items.map(({ body, terminator }, index) =>
    terminator === undefined || terminator === ';;'
      ? body.commands
      : items.slice(index).flatMap((item) => item.body.commands),
  )
  const ends = bodies.flatMap((body) => runList(body, withSuccess(way), place))
  return distinct(hasDefault ? ends : [...ends, withSuccess(way)])
}
