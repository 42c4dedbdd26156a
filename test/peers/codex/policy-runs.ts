/** One question to rule files, answered by the reference program and by this package. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textFrom } from 'node:stream/consumers'
import {
  checkOutput,
  matchPrefixRules,
  readRules,
  type CheckOutput,
  type PolicyRule,
} from '@donecheck/engine/gate'

export interface PolicyCase {
  /** The texts of the rule files, in their order. */
  readonly files: readonly string[]
  readonly words: readonly string[]
  readonly resolves: boolean
}

export type PolicyAnswer =
  | { readonly kind: 'answer'; readonly output: CheckOutput }
  | { readonly kind: 'refused'; readonly problem: string }

/** Where both resolve relative programs. */
const folder = tmpdir()

/** @throws {Error} where the program cannot be started, is killed, or ends in a way that is not known */
export async function askReference(program: string, test: PolicyCase): Promise<PolicyAnswer> {
  const place = await mkdtemp(join(folder, 'policy-'))
  try {
    const paths = test.files.map((_, index) => join(place, `${index}.rules`))
    for (const [index, path] of paths.entries()) await writeFile(path, test.files[index] ?? '')
    const flags = [
      ...paths.flatMap((path) => ['--rules', path]),
      ...(test.resolves ? ['--resolve-host-executables'] : []),
    ]
    const child = spawn(program, ['execpolicy', 'check', ...flags, '--', ...test.words], {
      cwd: folder,
      env: { HOME: homedir() },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = once(child, 'close')
    const [stdout, stderr] = await Promise.all([textFrom(child.stdout), textFrom(child.stderr)])
    const [exitCode] = (await ended) as unknown[]
    if (exitCode === 0) return { kind: 'answer', output: JSON.parse(stdout) as CheckOutput }
    // 101: it has given up over a value that is too large.
    if (exitCode !== 1 && exitCode !== 101)
      throw new Error(`the reference ended with ${String(exitCode)}: ${stderr}`)
    return { kind: 'refused', problem: stderr.split('\nStack backtrace')[0] ?? stderr }
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

export function askOurs(test: PolicyCase): PolicyAnswer {
  const rules: PolicyRule[] = []
  for (const [index, text] of test.files.entries()) {
    const read = readRules(text, { file: `${index}.rules`, layer: 'user', earlier: rules, folder })
    if (read.kind === 'invalid') return { kind: 'refused', problem: read.problem }
    rules.push(...read.rules)
  }
  const options = { resolveHostExecutables: test.resolves, folder, home: homedir() }
  return { kind: 'answer', output: checkOutput(matchPrefixRules(rules, test.words, options)) }
}

/** What the reference accepts and we do not, each known by what we say then. Nothing is the other way round. */
export const deviations: readonly { readonly name: string; readonly says: RegExp }[] = [
  { name: 'parts of the language that rule files do not use', says: / understood (?:here|between|for|with)/ },
  {
    name: 'a sign before a number, an ellipsis, a dict and a lambda',
    says: /^'(?:[-+.{]|lambda)' where a value is expected/,
  },
  { name: 'values that are too large', says: /^(?:values of )?more than/ },
]

/** Undefined: the same answer, or a listed deviation. */
export function difference(
  test: PolicyCase,
  reference: PolicyAnswer,
  ours: PolicyAnswer,
): string | undefined {
  if (reference.kind === 'refused' && ours.kind === 'refused') return undefined
  if (reference.kind === 'answer' && ours.kind === 'answer' && isSame(reference.output, ours.output))
    return undefined
  if (reference.kind === 'answer' && ours.kind === 'refused' && deviationOf(ours) !== undefined)
    return undefined
  // Nobody here asks for network rules, so their hosts are not looked at.
  if (ours.kind === 'answer' && test.files.some((text) => text.includes('network_rule'))) return undefined
  return JSON.stringify({ test, reference, ours }, null, 2)
}

export function deviationOf(ours: PolicyAnswer): string | undefined {
  return ours.kind === 'answer' ? undefined : deviations.find(({ says }) => says.test(ours.problem))?.name
}

/** As text, with the keys in one order. */
function isSame(left: CheckOutput, right: CheckOutput): boolean {
  return JSON.stringify(sorted(left)) === JSON.stringify(sorted(right))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}

/** Asks both for every case, several at once; the differences, and how many cases both have answered. */
export async function compare(
  program: string,
  cases: readonly PolicyCase[],
): Promise<{ readonly differences: readonly string[]; readonly answered: number }> {
  const answers = await askAll(program, cases)
  const pairs = cases.map((test, index) => ({
    test,
    reference: answerAt(answers, index),
    ours: askOurs(test),
  }))
  return {
    differences: pairs.flatMap(({ test, reference, ours }) => difference(test, reference, ours) ?? []),
    answered: pairs.filter(({ reference, ours }) => reference.kind === 'answer' && ours.kind === 'answer')
      .length,
  }
}

/** Several at once; the answers in the order of the cases. */
export async function askAll(
  program: string,
  cases: readonly PolicyCase[],
): Promise<readonly PolicyAnswer[]> {
  const answers: PolicyAnswer[] = []
  const queue = cases.entries()
  const work = async () => {
    for (const [index, test] of queue) answers[index] = await askReference(program, test)
  }
  await Promise.all(Array.from({ length: 6 }, work))
  return answers
}

function answerAt(answers: readonly PolicyAnswer[], index: number): PolicyAnswer {
  return answers[index] ?? { kind: 'refused', problem: 'nobody was asked' }
}
