import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'

/** Where the object of options stands among the arguments, or why nobody looks at its keys. */
const functions: Readonly<Record<string, number | string>> = {
  // the loop
  createAgentLoop: 0,
  verifyWork: 0,
  delegateTool: 0,
  // agents, tools, people, stores
  commandAgent: 0,
  modelAgent: 0,
  scriptedAgent: 1,
  defaultTools: 0,
  storeHuman: 0,
  terminalHuman: 0,
  terminalApprover: 0,
  openSqliteStore: 0,
  openMemory: 0,
  openDatabase: 'rooms of the house ask it, with options whose keys the compiler reads',
  startService: 0,
  startWebhooks: 0,
  telemetryObserver: 0,
  // the gate and what surrounds it
  policyGate: 0,
  examineScript: 1,
  readRules: 1,
  matchPrefixRules: 2,
  prefixRule: 0,
  hostExecutable: 0,
  pathRule: 0,
  chooseSandbox: 0,
  // checks
  command: 1,
  testsPass: 0,
  lintPass: 0,
  typecheckPass: 0,
  buildPass: 0,
  verifierOf: 2,
  schema: 1,
  contains: 1,
  forbiddenPatterns: 1,
  numericRange: 2,
  requiredItems: 1,
  responseLength: 1,
  fileExists: 1,
  fileMatches: 2,
  jsonPath: 3,
  gitClean: 0,
  gitDiff: 0,
  patchApplies: 0,
  httpStatus: 0,
  processAlive: 0,
  humanApproves: 0,
  judgedBy: 1,
  citations: 0,
  similarity: 1,
  composed: 2,
  runHeartbeat: 0,
  judgeAccount: 0,
  judgeCheck: 1,
  judgePanel: 1,
  modelJudge: 0,
  // environments
  defineEnvironment: 0,
  evaluate: 0,
  runConformance: 0,
  score: 1,
  // adapters
  claudeCodeAgent: 0,
  codexAgent: 0,
  geminiAgent: 0,
  qwenAgent: 0,
  copilotAgent: 0,
  acpAgent: 0,
  hooksOver: 1,
  verifiedQuery: 2,
  verifiedAgent: 1,
  stopWhen: 0,
  verifiedMiddleware: 0,
  verifiedNode: 0,
  verifiedExecution: 2,
  verifiedGenerate: 2,
  verifiedRun: 3,

  manualClock: 'of the test kit',
}

const packages = ['core', 'engine', 'agents', 'server', 'conformance', 'donecheck'].map((name) =>
  join(import.meta.dirname, '../packages', name),
)

/** The parameters of all functions that are declared under a name, as they are written. */
function parametersByName(): ReadonlyMap<string, string> {
  const texts = packages.flatMap((folder) =>
    readdirSync(join(folder, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('fixtures'))
      .map((file) => readFileSync(join(folder, 'src', file), 'utf8')),
  )
  const declared = /export (?:async )?function (\w+)(?:<[^(]*>)?\(([^]*?)\)\s*:/g
  const parameters = new Map<string, string>()
  for (const [, name = '', written = ''] of texts.flatMap((text) => [...text.matchAll(declared)]))
    parameters.set(name, `${parameters.get(name) ?? ''} ${written}`)
  return parameters
}

/** Of every subpath of the packages. */
async function publicFunctions(): Promise<ReadonlyMap<string, (...given: readonly unknown[]) => unknown>> {
  const doors = packages.flatMap((folder) =>
    [...readFileSync(join(folder, 'package.json'), 'utf8').matchAll(/"donecheck-source": "([^*"]+)"/g)].map(
      ([, door = '']) => join(folder, door),
    ),
  )
  const modules = await Promise.all(
    doors.map(async (door) => {
      const module: unknown = await import(door)
      return typeof module === 'object' ? (module ?? {}) : {}
    }),
  )
  const entries = modules.flatMap((module) => Object.entries<unknown>({ ...module }))
  return new Map(entries.flatMap(([name, value]) => (isFunction(value) ? [[name, value] as const] : [])))
}

function isFunction(value: unknown): value is (...given: readonly unknown[]) => unknown {
  return typeof value === 'function'
}

const found = await publicFunctions()

describe('given an object of options with a key that it cannot have', () => {
  const read = Object.entries(functions).flatMap(([name, at]) =>
    typeof at === 'number' ? [[name, at] as const] : [],
  )

  it.each(read)('%s refuses it as misuse, by its name', async (name, at) => {
    const before = Array.from({ length: at }, () => undefined)
    const calling = async () => found.get(name)?.(...before, { aKeyOfNobody: 1 })
    await expect(calling()).rejects.toThrow(UsageError)
    await expect(calling()).rejects.toThrow(/(?:has no|unknown) key "aKeyOfNobody"/)
  })

  it.each(read)('%s refuses what is no object at all as misuse', async (name, at) => {
    const before = Array.from({ length: at }, () => undefined)
    await expect((async () => found.get(name)?.(...before, 'a text'))()).rejects.toThrow(UsageError)
  })
})

describe('given an object of options in which everything is missing', () => {
  const first = Object.entries(functions).flatMap(([name, at]) => (at === 0 ? [name] : []))

  it.each(first)('%s does without, or says as misuse what it needs', async (name) => {
    const problem = await (async () => found.get(name)?.({}))().catch((error: unknown) => error)
    expect(problem instanceof Error ? problem.name : 'no error').toMatch(/^(?:UsageError|no error)$/)
  })
})

describe('given a first argument of another kind', () => {
  const factories = ['fileExists', 'forbiddenPatterns', 'requiredItems', 'responseLength', 'numericRange']
  const wrong = [undefined, null, 42, [42], { aKeyOfNobody: 1 }]
  const rows = [...factories, 'verifierOf'].flatMap((name) => wrong.map((value) => [name, value] as const))

  it.each(rows)('%s refuses %j as misuse', (name, value) => {
    expect(() => found.get(name)?.(value)).toThrow(UsageError)
  })
})

it('what can be left out is not asked for', async () => {
  const names = ['verifyWork', 'testsPass', 'gitClean', 'stopWhen', 'verifiedMiddleware', 'findAgents']
  for (const name of names) {
    const problem = await (async () => found.get(name)?.({}))().catch(String)
    expect(String(problem)).not.toContain('needs')
  }
})

it('every public function that takes options is one of them, and no other', () => {
  const parameters = parametersByName()
  const taking = [...found.keys()].filter((name) =>
    /\b(?:\w+Options|PrefixRuleInput|HostExecutableInput|PathRuleInput)\b/.test(parameters.get(name) ?? ''),
  )
  expect(taking.filter((name) => !Object.hasOwn(functions, name))).toEqual([])
  // What another function makes is declared without parameters.
  const isMade = (name: string) => found.has(name) && !parameters.has(name)
  expect(Object.keys(functions).filter((name) => !taking.includes(name) && !isMade(name))).toEqual([])
})
