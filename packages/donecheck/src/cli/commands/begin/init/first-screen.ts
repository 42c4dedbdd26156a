import { donecheckVersion } from '@donecheck/engine/base'
import { runLine, surveyLines, surveyProject, type Survey } from '../../../agents/survey.ts'
import type { CliIo } from '../../../process/io.ts'

/** Tests are found without a flag; other checks need one. */
function checkFlags({ checks }: Survey): string {
  if (checks.some(({ preset }) => preset === 'tests')) return ''
  const flags = checks.map(({ preset }) => ` --preset ${preset}`).join('')
  return flags === '' ? ' --until "test -s README.md"' : flags
}

export async function firstScreen(io: CliIo): Promise<number> {
  const survey = await surveyProject(io.currentFolder, io)
  const [drive] = survey.drives
  const until = checkFlags(survey)
  const run =
    drive === undefined
      ? `donecheck run${until} --agent 'program {prompt}' "Fix the failing test."`
      : runLine(drive, 'Fix the failing test.').replace('donecheck run', `donecheck run${until}`)
  const lines = [
    `donecheck ${donecheckVersion}: done is a check, not a claim.`,
    '',
    ...surveyLines(survey),
    '',
    'Type:',
    `  ${run}`,
    '      lets it work until the checks pass, and says why it stopped',
    `  donecheck verify${until}`,
    '      runs the checks once, without an agent',
    '  donecheck init',
    '      keeps this in a small file, and offers hooks and CI; nothing needs it',
    '  donecheck --help',
  ]
  io.stderr.write(`${lines.join('\n')}\n`)
  return 2
}
