import { existsSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import { findProgram } from '@donecheck/engine/process'
import { nearest, oneLine } from '@donecheck/core/base'
import { decompose } from '@donecheck/engine/shell'
import type { CliIo } from '../../process/io.ts'
import { type Skill, checksOfSkill, type SkillChecks, notChecked } from './use-skills.ts'

interface SkillProblem {
  readonly level: 'error' | 'warning'
  readonly line: number | null
  readonly message: string
}

export interface SkillLint extends SkillChecks {
  readonly skill: Skill
  readonly problems: readonly SkillProblem[]
}

/** Keys seen in published skills. */
const knownKeys: readonly string[] = (
  'name description version license author authors homepage repository tags category keywords platforms metadata ' +
  'compatibility requires dependencies allowed-tools disallowed-tools user-invocable disable-model-invocation ' +
  'argument-hint arguments when_to_use model effort context agent hooks paths shell triggers emoji ' +
  'command-dispatch command-tool command-arg-mode'
).split(' ')

export async function lintSkill(
  skill: Skill,
  workFolder: string,
  hasJudge: boolean,
  { environment }: Pick<CliIo, 'environment'>,
): Promise<SkillLint> {
  const found = checksOfSkill(skill, workFolder)
  const missing = await missingPrograms(found, workFolder, environment)
  const open = notChecked(found, hasJudge).map(({ line, text, problem }): SkillProblem => ({
    level: 'warning',
    line,
    message: `not checked: ${text} (${problem})`,
  }))
  const none: readonly SkillProblem[] =
    skill.conditions.length > 0
      ? []
      : [
          {
            level: 'error',
            line: null,
            message: 'it says nowhere when it is done; write conditions under "## Verification"',
          },
        ]
  return { skill, ...found, problems: [...headProblems(skill), ...none, ...missing, ...open] }
}

function headProblems({ keys, ownName, description, file, folder }: Skill): readonly SkillProblem[] {
  const problem = (level: SkillProblem['level'], message: string): SkillProblem => ({
    level,
    line: 1,
    message,
  })
  if (keys === undefined)
    return [problem('error', 'there is no front matter; begin with ---, name, description and ---')]
  const isNamed = ownName !== undefined
  const unknown = keys.filter((key) => !knownKeys.includes(key))
  return [
    ...(isNamed ? [] : [problem('error', 'the front matter has no name')]),
    ...(description === undefined ? [problem('error', 'the front matter has no description')] : []),
    ...(isNamed && basename(file) === 'SKILL.md' && ownName !== basename(folder)
      ? [
          problem(
            'warning',
            `it calls itself "${oneLine(ownName, 80)}", and its folder is "${basename(folder)}"`,
          ),
        ]
      : []),
    ...unknown.map((key) => {
      const near = nearest(key, knownKeys)
      return problem(
        'warning',
        `unknown key "${key}"${near === undefined ? '' : `; did you mean "${near}"?`}`,
      )
    }),
  ]
}

const builtins = new Set(
  '. : [ [[ alias bg break cd command continue declare echo eval exec exit export false fg getopts hash jobs kill let local printf pwd read readonly return set shift source test times trap true type ulimit umask unalias unset wait'.split(
    ' ',
  ),
)

async function missingPrograms(
  { checks }: SkillChecks,
  workFolder: string,
  environment: CliIo['environment'],
): Promise<readonly SkillProblem[]> {
  const named = checks.flatMap((check) =>
    check.kind !== 'command'
      ? []
      : decompose(check.until.command).commands.flatMap(({ words }) => {
          const program = words[0]?.text ?? null
          return program === null || builtins.has(program) ? [] : [{ line: check.line, program }]
        }),
  )
  const looked = named.map(async ({ line, program }): Promise<readonly SkillProblem[]> => {
    const isPath = program.includes('/')
    const isThere = isPath
      ? existsSync(resolve(workFolder, program))
      : findProgram(program, environment) !== undefined
    const where = isPath ? 'in the work folder' : 'on PATH'
    return isThere ? [] : [{ level: 'error', line, message: `there is no program ${program} ${where}` }]
  })
  return (await Promise.all(looked)).flat()
}
