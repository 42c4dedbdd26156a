/** What the doctor found, for people. */
import { harmless } from '@donecheck/core/base'
import type { Line } from '@donecheck/engine/report'
import type { DiagnosedInstallation, Diagnosis } from '../agent-hooks/doctor/diagnose.ts'

export function diagnosisLines(diagnosis: Diagnosis): readonly Line[] {
  const { title, version, isHealthy, problems, notes, installations } = diagnosis
  return [
    { tone: 'strong', text: version === null ? title : `${title} ${version}` },
    ...installations.flatMap(installationLines),
    ...problems.map((text): Line => ({ tone: 'bad', text: `  ✗ ${harmless(text)}` })),
    ...notes.map((text): Line => ({ tone: 'warning', text: `  · ${harmless(text)}` })),
    isHealthy
      ? { tone: 'good', text: '  ✓ it is not allowed to stop while a check is red' }
      : { tone: 'bad', text: '  ✗ it may be allowed to stop unchecked' },
  ]
}

function installationLines({ scope, file, trials, slowestMs }: DiagnosedInstallation): readonly Line[] {
  const words = (what: string) =>
    trials.filter((tried) => tried.what === what && tried.isAsExpected).map(({ word }) => word)
  const reported = [
    ['fires', 'fires'],
    ['passes what no rule names', 'passes what no rule names'],
    ['refuses what a rule forbids', 'refuses what a rule forbids'],
    ['holds a red check', 'blocks while a check is red'],
    ['lets a green check go', 'passes when it is green'],
  ] as const
  return [
    { tone: 'quiet', text: `  settings of the ${scope}: ${file}` },
    ...reported
      .map(([what, text]) => ({ names: words(what), text }))
      .filter(({ names }) => names.length > 0)
      .map(({ names, text }): Line => ({ tone: 'good', text: `  ✓ ${text}: ${names.join(', ')}` })),
    ...(slowestMs === null
      ? []
      : [
          {
            tone: 'quiet',
            text: `  every call of a tool waits ${slowestMs} ms for its hook`,
          } satisfies Line,
        ]),
  ]
}
