import { harmless, oneLine } from '@donecheck/core/base'
import type { RunEvent } from '@donecheck/core/events'
import { fold } from '@donecheck/core/state'
import type { Verdict } from '@donecheck/core/verdicts'
import { UsageError } from '@donecheck/engine/base'
import { distil } from '@donecheck/engine/memory'
import { taskAlone } from './use-skills.ts'

const maxTaskCharacters = 2000

export function draftSkill(events: readonly RunEvent[]): string {
  const state = fold(events)
  const learnt = distil(events)
  if (state === undefined || learnt?.outcome !== 'verified')
    throw new UsageError(
      'only a run that ended as verified can propose a skill; "donecheck list" shows which did',
    )
  const task = harmless(taskAlone(state.task)).trim()
  const title = oneLine(task.split('\n')[0] ?? '', 100)
  const section = (heading: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`## ${heading}`, '', ...lines, '']
  const lessonsOf = (...kinds: readonly string[]) =>
    learnt.lessons
      .filter(({ kind }) => kinds.includes(kind))
      // The text may contain the start of a comment.
      .map(({ text }) => `- ${text.replaceAll('<', '&lt;')}`)
  return [
    '---',
    `name: ${slugOf(title)}`,
    `description: ${JSON.stringify(`Use this for tasks such as: ${title}`)}`,
    '---',
    '',
    `<!-- A draft from run ${learnt.runId}. Read it, and write down how the work is done, before you use it. -->`,
    '',
    ...section('When to use', quoteOf(task)),
    ...section('What happened', lessonsOf('run')),
    ...section('Pitfalls', lessonsOf('mended', 'detector', 'flaky')),
    ...section('Verification', verification(events, state.settings.verifiers)),
  ].join('\n')
}

function slugOf(title: string): string {
  const slug = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 48)
    .replaceAll(/^-+|-+$/g, '')
  return slug === '' ? 'new-skill' : slug
}

/** Quoted, so that headings in it have no effect. */
function quoteOf(task: string): readonly string[] {
  const text = task.slice(0, maxTaskCharacters).toWellFormed()
  return [...text.split('\n'), ...(task.length > maxTaskCharacters ? ['…'] : [])].map((line) =>
    `> ${line}`.trimEnd(),
  )
}

interface Verifier {
  readonly name: string
  readonly required: boolean
  readonly role: string
}

/** Only checks that decided and that the agent knew. */
function verification(events: readonly RunEvent[], verifiers: readonly Verifier[]): readonly string[] {
  const passed = new Map<string, Verdict>()
  for (const event of events)
    if (event.type === 'verdict-given' && event.verdict.status === 'passed')
      passed.set(event.verdict.verifier, event.verdict)
  return verifiers.flatMap(({ name, required, role }) => {
    const verdict = passed.get(name)
    return required && role === 'check' && verdict !== undefined ? conditionLines(verdict) : []
  })
}

function conditionLines({ verifier, evidence }: Verdict): readonly string[] {
  const commands = evidence.flatMap((piece) => (piece.kind === 'command' ? [piece.command] : []))
  const [command] = commands
  if (command !== undefined) return commandLines(command)
  const files = evidence.flatMap((piece) => (piece.kind === 'file' ? [piece.path] : []))
  const isAboutFiles = files.length > 0 && files.length === evidence.length && verifier.endsWith(' exists')
  return isAboutFiles ? files.map((path) => `- \`${path}\` exists`) : [`- ${oneLine(verifier, 200)}`]
}

function commandLines(command: string): readonly string[] {
  const marked = command.replaceAll(/\[masked:/g, '[not kept:')
  if (marked !== command) return [`- ${oneLine(marked, 200)}`]
  const isPlain = !/[`\n]/.test(command) && command === command.trim()
  return isPlain ? [`- \`${command}\` passes`] : ['', '```sh', command, '```', '']
}
