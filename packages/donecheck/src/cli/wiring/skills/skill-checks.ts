/** From the conditions of a skill to checks of the kinds that there are. */
import { given } from '@donecheck/engine/base'
import { existsSync, realpathSync } from 'node:fs'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import { oneLine } from '@donecheck/core/base'
import { decompose } from '@donecheck/engine/shell'
import { isInside } from '@donecheck/engine/store'
import type { CheckConfig, CheckSpec, Condition } from '../../../config/index.ts'
import { quoteWord } from '../../output/quoted-word.ts'
import type { Skill } from './load-skills.ts'

export type SkillCheck = { readonly line: number; readonly text: string } & (
  | { readonly kind: 'command'; readonly until: CheckConfig }
  | { readonly kind: 'files' | 'schema'; readonly check: CheckSpec }
)

/** A condition that no check decides. */
export interface Unchecked {
  readonly line: number
  readonly text: string
  readonly problem: string
}

export interface SkillChecks {
  readonly checks: readonly SkillCheck[]
  /** What a judge can be asked. */
  readonly rubric: readonly { readonly line: number; readonly text: string }[]
  readonly unchecked: readonly Unchecked[]
}

/** Files of the skill are looked for beside it, all others in the work folder, where the commands run. */
export function checksOfSkill(skill: Skill, workFolder: string): SkillChecks {
  const checks: SkillCheck[] = []
  const rubric: SkillChecks['rubric'][number][] = []
  const unchecked: Unchecked[] = []
  for (const condition of skill.conditions) {
    const made = madeOf(condition, skill, workFolder)
    if ('problem' in made) unchecked.push(made)
    else if ('kind' in made) checks.push(made)
    else rubric.push(made)
  }
  return { checks, rubric, unchecked }
}

function madeOf(
  condition: Condition,
  skill: Skill,
  workFolder: string,
): SkillCheck | SkillChecks['rubric'][number] | Unchecked {
  const { line } = condition
  switch (condition.kind) {
    case 'command': {
      const command = withOwnFiles(condition.command, skill, workFolder)
      return { kind: 'command', line, text: oneLine(command, 200), until: { command } }
    }
    case 'file': {
      const { path, contains } = condition
      const check: CheckSpec = {
        kind: 'files',
        files: [path],
        ...given({ contain: contains }),
      }
      const what = contains === undefined ? 'exists' : `contains ${oneLine(contains, 80)}`
      return { kind: 'files', line, text: `${path} ${what}`, check }
    }
    case 'schema': {
      const { file, schema: named } = condition
      const schema = [skill.folder, workFolder].map((folder) => resolve(folder, named)).find(existsSync)
      const text = `${file} keeps to ${named}`
      if (schema === undefined) return { line, text, problem: `there is no ${named}` }
      return { kind: 'schema', line, text, check: { kind: 'schema', schema, file } }
    }
    case 'rubric':
      return { line, text: oneLine(condition.text, 600) }
    case 'unclear':
      return { line, text: oneLine(condition.text, 200), problem: condition.problem }
  }
}

/** `{baseDir}` and `${CLAUDE_SKILL_DIR}` are the folder of the skill; a path that is there and not in the work folder is meant there. */
function withOwnFiles(command: string, { folder }: Skill, workFolder: string): string {
  const own = placeOf(folder, workFolder)
  const named = command.replaceAll(/\{baseDir\}|\$\{CLAUDE_SKILL_DIR\}|\$CLAUDE_SKILL_DIR\b/g, () => own)
  let made = named
  const words = decompose(named).commands.flatMap((one) => one.words)
  const spans = new Map(
    words.flatMap(({ text, span }) => (text === null || span === null ? [] : [[span[0], { text, span }]])),
  )
  // From the end, so that the places before it stay what they are.
  for (const [, { text, span }] of [...spans].toSorted(([one], [other]) => other - one)) {
    const isMeant = text.includes('/') && !isAbsolute(text) && existsSync(join(folder, text))
    if (isMeant && !existsSync(join(workFolder, text)))
      made = made.slice(0, span[0]) + quoteWord(join(own, text)) + made.slice(span[1])
  }
  return made
}

/** Within the work folder it is named from there, so that a copy of the folder has its own. */
export function placeOf(path: string, workFolder: string): string {
  if (!isInside(path, workFolder)) return path
  const way = relative(realpathSync(workFolder), path).split(sep).join('/')
  return way === '' ? '.' : `./${way}`
}
