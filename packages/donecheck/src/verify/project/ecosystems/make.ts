import { readMakefile } from '../../exit-code/follow/read-makefile.ts'
import { nothingDetected, script, type Detection, type ProjectFiles } from '../detected.ts'
import { namedChecks } from '../script-names.ts'

/** Targets of a Makefile. */
export async function detectMake(files: ProjectFiles): Promise<Detection> {
  for (const file of ['GNUmakefile', 'makefile', 'Makefile']) {
    const text = await files.text(file)
    if (text === undefined) continue
    const targets = readMakefile(text).rules.flatMap((rule) =>
      rule.targets.map((target) => [target, rule.recipe.join('\n')] as const),
    )
    const candidates = namedChecks(new Map(targets)).map(([check, target]) =>
      script(check, `make ${target}`, `${file} has the target "${target}"`),
    )
    return { candidates, problems: [] }
  }
  return nothingDetected
}
