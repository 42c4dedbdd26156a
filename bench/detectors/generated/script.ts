/** Writes a run down step by step, with the digests that a recording carries, in a world that is made by chance that can be had again. */
import { createHash, hash } from 'node:crypto'
import { randomNumbers } from '@donecheck/engine/internal/base'
import { canonicalJson } from '@donecheck/core/internal/base'
import type { Step } from './generated-run.ts'
import { dialectFrom, type Call, type Dialect, type Random } from './dialect.ts'

/** @param seed any text; runs of different names are independent of each other. */
function randomFrom(seed: string): Random {
  const next = randomNumbers(createHash('sha256').update(seed).digest().readUInt32LE(0))
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))

  const pick = <T>(items: readonly T[]): T => {
    const index = between(0, items.length - 1)
    const item = items[index]
    if (item === undefined) throw new RangeError(`nothing to pick from: ${items.length} items`)
    return item
  }

  const shuffled = <T>(items: readonly T[]): readonly T[] =>
    items
      .map((item) => ({ item, at: next() }))
      .sort((one, other) => one.at - other.at)
      .map(({ item }) => item)

  const hex = (length: number): string => Array.from({ length }, () => between(0, 15).toString(16)).join('')

  return { next, between, chance: (share) => next() < share, pick, shuffled, hex }
}

interface Clock {
  /** Goes on by some seconds. */
  pass(seconds: number): void
  /** The time as this run writes it: each run has one way. */
  mark(): string
}

const month = (now: Date) => now.toLocaleString('en', { month: 'short', timeZone: 'UTC' })

const formats: readonly ((now: Date) => string)[] = [
  // 2026-03-04T05:06:07Z
  (now) => now.toISOString().replace(/\.\d+Z$/, 'Z'),
  // 2026-03-04T05:06:07.017Z
  (now) => now.toISOString(),
  // 2026-03-04 05:06:07
  (now) => now.toISOString().slice(0, 19).replace('T', ' '),
  // 05:06:07
  (now) => now.toISOString().slice(11, 19),
  // 04/Mar/2026:05:06:07 +0000
  (now) =>
    `${now.toISOString().slice(8, 10)}/${month(now)}/${now.getUTCFullYear()}:${now.toISOString().slice(11, 19)} +0000`,
  // 1772600767017
  (now) => String(now.getTime()),
]

function clockFrom(random: Random): Clock {
  const now = new Date(Date.UTC(2026, 2, 1) + random.between(0, 90 * 86_400) * 1000 + random.between(0, 999))
  const format = random.pick(formats)
  return {
    pass(seconds) {
      now.setTime(now.getTime() + seconds * 1000 + 17)
    },
    mark: () => format(now),
  }
}

/** `1.23s`, `840ms`: how long something took, never the same for long. */
export function duration(random: Random): string {
  return random.chance(0.5)
    ? `${random.between(0, 9)}.${random.between(10, 99)}s`
    : `${random.between(20, 990)}ms`
}

export interface Project {
  readonly extension: 'ts' | 'py' | 'go' | 'js'
  /** At least 40, all different. */
  readonly paths: readonly string[]
  /** Names of functions, at least 30. */
  readonly symbols: readonly string[]
  readonly testNames: readonly string[]
  readonly test: string
  readonly build: string
  readonly lint: string
}

const nouns =
  'order user session invoice token cart parser cache queue report ledger route schema worker price stock shipment mail ' +
  'batch index lexer planner graph matrix policy quota region sensor signal store ticket upload vector window widget'
const verbs =
  'load save parse build merge split apply reset check fetch render update remove collect resolve schedule validate encode'

const nounList = nouns.split(' ')
const verbList = verbs.split(' ')

const kinds = [
  {
    extension: 'ts',
    test: 'npx vitest run',
    build: 'npx tsc -p .',
    lint: 'npx eslint',
    folders: ['src', 'src/core', 'src/http', 'lib'],
  },
  {
    extension: 'js',
    test: 'npm test',
    build: 'npm run build',
    lint: 'npx eslint',
    folders: ['lib', 'src', 'server', 'test/support'],
  },
  {
    extension: 'py',
    test: 'python -m pytest -q',
    build: 'python -m compileall -q .',
    lint: 'ruff check',
    folders: ['app', 'app/models', 'core', 'tools'],
  },
  {
    extension: 'go',
    test: 'go test ./...',
    build: 'go build ./...',
    lint: 'golangci-lint run',
    folders: ['internal', 'internal/api', 'pkg', 'cmd'],
  },
] as const

function projectFrom(random: Random): Project {
  const kind = random.pick(kinds)
  const every = kind.folders.flatMap((folder) =>
    nounList.map((noun) => `${folder}/${noun}.${kind.extension}`),
  )
  const joint = kind.extension === 'py' ? '_' : ''
  const symbols = verbList.flatMap((verb) =>
    random
      .shuffled(nounList)
      .slice(0, 3)
      .map((noun) => joined(verb, noun, joint)),
  )
  const testNames = symbols.map(
    (symbol) => `${random.pick(['returns', 'rejects', 'keeps', 'handles'])} ${symbol}`,
  )
  return {
    extension: kind.extension,
    paths: random.shuffled(every).slice(0, 60),
    symbols: random.shuffled(symbols),
    testNames: random.shuffled(testNames),
    test: kind.test,
    build: kind.build,
    lint: kind.lint,
  }
}

function joined(verb: string, noun: string, joint: string): string {
  return joint === '' ? verb + noun.slice(0, 1).toUpperCase() + noun.slice(1) : verb + joint + noun
}

type Voice = 'silent' | 'terse' | 'talking'

const terse = [
  'Let me check.',
  'Next.',
  'Now run the tests.',
  'Running the tests again.',
  'Let me look at the file.',
  'Continuing.',
  "I'll fix that.",
  'Let me try again.',
]

/** One of the usual words. */
function voiceFrom(random: Random): Voice {
  return random.pick(['silent', 'terse', 'talking', 'talking'])
}

export function say(voice: Voice, random: Random, project: Project): string {
  switch (voice) {
    case 'silent':
      return ''
    case 'terse':
      return random.pick(terse)
    case 'talking':
      return Array.from({ length: random.between(1, 3) }, () => sentence(random, project)).join(' ')
  }
}

/** A sentence about the work, hardly ever the same twice. */
export function sentence(random: Random, project: Project): string {
  const [one, two] = [random.pick(project.symbols), random.pick(project.symbols)]
  const path = random.pick(project.paths)
  const line = random.between(2, 400)
  const first = random.pick([
    `I think that \`${one}\` in ${path} is called with the wrong order of arguments`,
    `The failure seems to come from line ${line} of ${path}`,
    `Before I change \`${one}\`, I want to see who calls \`${two}\``,
    `It looks as if ${path} still holds the old name \`${two}\``,
    `Now \`${one}\` has to hand its result to \`${two}\``,
    `${path} does not handle an empty list; \`${one}\` would return ${line}`,
    `The test for \`${two}\` expects ${line}, so rounding happens too early`,
    `My guess about \`${one}\` was wrong`,
    `Nothing in ${path} mentions \`${two}\``,
  ])
  const second = random.pick([
    `, so I will read ${random.pick(project.paths)} first.`,
    `; let me verify that with a small run.`,
    `, and ${random.pick(project.symbols)} comes after that.`,
    '.',
    ` (see line ${random.between(2, 400)}).`,
    `, which would explain the number ${random.between(2, 900)}.`,
  ])
  return first + second
}

/** A run that is being written, and the world it happens in. */
export interface Script {
  readonly random: Random
  readonly project: Project
  readonly dialect: Dialect
  readonly clock: Clock
  readonly voice: Voice
  readonly steps: readonly Step[]
  /** Calls so far. */
  readonly calls: number
  /** Replies so far. */
  readonly replies: number
  /** A turn: a reply, then its calls. Without a text the run's own voice speaks. */
  turn(calls: readonly Call[], text?: string): void
  /** Said to the agent after its last turn. */
  message(text: string): void
}

/** First 16 hex digits of SHA-256. */
export function digestOf(text: string): string {
  return hash('sha256', text).slice(0, 16)
}

/** One run in three does not say what was an error, as some sources do. */
const silentAboutErrors = 0.33

export function scriptFrom(seed: string): Script {
  const random = randomFrom(seed)
  const project = projectFrom(random)
  const dialect = dialectFrom(random)
  const clock = clockFrom(random)
  const voice = voiceFrom(random)
  const saysErrors = !random.chance(silentAboutErrors)
  const steps: Step[] = []
  const count = { calls: 0, turns: 0 }

  const callStep = ({ tool, args, result, isError }: Call): Step => {
    clock.pass(random.between(1, 20))
    const index = count.calls
    count.calls += 1
    return {
      kind: 'call',
      index,
      turn: count.turns,
      tool,
      args,
      argsDigest: digestOf(canonicalJson(args)),
      result,
      resultDigest: result === null ? null : digestOf(result),
      isError: saysErrors ? isError : null,
    }
  }

  return {
    random,
    project,
    dialect,
    clock,
    voice,
    steps,
    get calls() {
      return count.calls
    },
    get replies() {
      return count.turns
    },
    turn(calls, text = say(voice, random, project)) {
      steps.push({ kind: 'reply', turn: count.turns, text, calls: calls.length })
      for (const call of calls) steps.push(callStep(call))
      count.turns += 1
    },
    message(text) {
      steps.push({ kind: 'message', turn: Math.max(0, count.turns - 1), text })
    },
  }
}
