/** What a call is, so that an answer to it holds for the same call again. */
import { canonicalJson } from '../../canonical-json.ts'
import type { GateRequest } from '../../gate-ports.ts'
import type { Objection } from '../decide/objection.ts'
import { decompose } from '../../shell/index.ts'

/**
 * A command is the same where all its words are, however they are spaced and quoted; one that is not fully known only where
 * it is written the same. A change is the same where it is of the same files. Anything else by its arguments.
 */
export function identityOf({ tool, args, action }: GateRequest): string {
  if (action === undefined) return canonicalJson({ tool, args })
  if (action.kind === 'change') {
    const paths = [...new Set(action.files.map(({ path }) => path))].toSorted()
    return canonicalJson({ change: paths })
  }
  const { script, folder, escalation } = action
  const { commands, obstacles, writes } = decompose(script)
  const isLeaving = escalation !== undefined
  if (obstacles.length > 0) return canonicalJson({ script, folder, isLeaving })
  return canonicalJson({
    commands: commands.map(({ words, through, input = null }) => ({
      words: words.map(({ text }) => text),
      through: [...through],
      input,
    })),
    writes: writes.map(({ path }) => path),
    ...{ folder, isLeaving, order: operatorsOf(script, commands) },
  })
}

/** `a && b` is not `a || b`: what stands between the commands, without blanks. */
function operatorsOf(script: string, commands: ReturnType<typeof decompose>['commands']): string {
  let between = ''
  let end = 0
  for (const { span } of commands) {
    if (span === null || span[0] < end) continue
    between += `${script.slice(end, span[0])} `
    end = span[1]
  }
  return `${between}${script.slice(end)}`.replaceAll(/\s+/gu, ' ').trim()
}

/**
 * What was asked: a yes to one question is none to another. Of a file that decides whether the work is done also what would
 * become of it: who has looked at one change of a test has not seen the next one.
 */
export function questionOf(objections: readonly Objection[]): string {
  const asked = objections.map(({ label, reason }) =>
    label === 'protected_file' ? `${label} ${reason}` : label,
  )
  return [...new Set(asked)].toSorted().join(' ')
}
