import { testFolder } from './by-name.ts'
import { placed } from './placed.ts'
import type { Project } from './project.ts'
import type { Placement } from './request.ts'
import { takenName } from './taken-names.ts'
import { jsonFields } from './tree/json-fields.ts'
import { nameOf } from './tree/paths.ts'

/** They say which file an import of the folder means, and how it is read. */
const leadingKeys = new Set(['main', 'module', 'exports', 'browser', 'type', 'imports'])

/** Undefined: it is no `package.json` that leads an import of the tests elsewhere. */
export function placeManifest(path: string, project: Project): Placement | undefined {
  if (nameOf(path) !== 'package.json' || path === 'package.json') return undefined
  const { baseline, delivered } = project.request
  const taken = baseline.has(path) ? undefined : takenName(path, project)
  if (taken?.kind === 'taken') return placed(path, 'takes-a-name', taken.because)
  const leads = (text: string | null) =>
    JSON.stringify(jsonFields(text).filter(([key]) => leadingKeys.has(key)))
  return testFolder.test(path) && leads(baseline.text(path)) !== leads(delivered.text(path))
    ? placed(
        path,
        'configuration',
        `${path} says which file an import of its folder means, in a folder of tests.`,
      )
    : undefined
}
