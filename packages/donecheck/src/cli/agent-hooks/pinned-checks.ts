/** What the hooks go by in a project, read as they read it. */
import type { SettingsPlace } from '../../agents/index.ts'
import { parseConfig } from '../../config/index.ts'
import type { RideConfiguration } from '../../ride/index.ts'
import { ridingProject } from '../hook/project.ts'
import { hollowChecks } from './hollow-checks.ts'

export interface PinnedChecks {
  /** Any of them means that a claim cannot be verified. */
  readonly problems: readonly string[]
  /** Commands are put before rules that were pinned along. */
  readonly hasRules: boolean
}

export async function pinnedFor(place: SettingsPlace): Promise<PinnedChecks> {
  const { workFolder } = place
  try {
    const pinned = ridingProject(workFolder, place)
    if (pinned === undefined) {
      const problem = `nothing is to be checked in ${workFolder}: the hooks let everything pass there; name checks with donecheck install`
      return { problems: [problem], hasRules: false }
    }
    const { configuration, rideFile } = pinned
    const hollow = hollowChecks(parseConfig(configuration.config, rideFile), pinned.workFolder)
    return { problems: hollow.map(({ problem }) => problem), hasRules: hasRules(configuration) }
  } catch (error) {
    return { problems: [error instanceof Error ? error.message : String(error)], hasRules: false }
  }
}

function hasRules({ config }: RideConfiguration): boolean {
  return ['keptRules', 'keptProjectRules', 'commandRules'].some((key) => {
    const rules = config[key]
    return typeof rules === 'object' && rules !== null && Object.keys(rules).length > 0
  })
}
