/** What the project's own files say of its checks: which line a preset runs, which line proves nothing, what nobody asks yet. */
import { detectChecks } from '@donecheck/engine/verify'
import type { Config } from '../../config/index.ts'
import { presetNames } from '../agents/survey.ts'
import { vacuousChecks } from '../agent-hooks/pin/vacuous-checks.ts'
import { namesChecks } from '../wiring/checks/checks.ts'
import type { ProjectChecks } from './tier.ts'

export async function projectChecks(config: Config, workFolder: string): Promise<ProjectChecks> {
  const found = await detectChecks(workFolder)
  const offered = presetNames.flatMap((preset) => {
    const check = found[preset]
    if (check.kind === 'not-found') return []
    return [{ preset, what: `${check.command}: ${check.why}` }]
  })
  const named = (config.presets ?? []).map((preset) => [preset, aboutPreset(found[preset])] as const)
  const known = new Map([...aboutCommands(config), ...named, ...aboutJudge(config)])
  return { known, offered: namesChecks(config) ? [] : offered }
}

function aboutPreset(found: Awaited<ReturnType<typeof detectChecks>>['tests']) {
  return found.kind === 'found'
    ? { what: `${found.command} must exit with 0`, isIdle: false }
    : { what: 'nothing in the project makes it: name its command with --until', isIdle: true }
}

function aboutCommands(config: Config) {
  const vacuous = new Map(vacuousChecks(config).map(({ line, problem }) => [line, problem]))
  return (config.until ?? []).map(({ command, name }) => {
    const problem = vacuous.get(command)
    const what = name === undefined ? 'must exit with 0' : `${command} must exit with 0`
    return [name ?? command, { what: problem ?? what, isIdle: problem !== undefined }] as const
  })
}

function aboutJudge({ judge, verifyReplies = false }: Config) {
  if (judge === undefined || verifyReplies !== false) return []
  const what = `${judge.models.join(', ')}; decides only once donecheck judge calibrate has measured it`
  return [['judge', { what, isIdle: false }] as const]
}
