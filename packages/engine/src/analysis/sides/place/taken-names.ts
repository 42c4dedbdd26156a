/** New modules under a name that tests import already. */
import { isKnownPythonModule } from '../references/assertion-libraries.ts'
import { languageOf, type Language } from '../references/references-of.ts'
import type { Project } from '../project.ts'
import { nodeOf } from '../tree/nodes.ts'
import { candidateOrders, relativeBase } from '../tree/javascript-modules.ts'
import { modulePathOf } from '../tree/path-index.ts'
import { nameOf } from '../tree/paths.ts'
import { pythonBases, pythonFiles } from '../tree/resolve.ts'

export type TakenName =
  /** The file that had the name is gone: a move. */
  { readonly kind: 'moved'; readonly from: string } | { readonly kind: 'taken'; readonly because: string }

/** Undefined: no test meant another file by the name of this one. */
export function findTakenName(path: string, project: Project): TakenName | undefined {
  const twins = (project.index().byModule.get(nameOf(modulePathOf(path))) ?? []).filter(
    (twin) => twin !== path,
  )
  const isPython = /\.(?:py|so|pyd|pyc)$/u.test(path)
  if (twins.length === 0 && !(isPython && isExternalPath(path, project)) && nameOf(path) !== 'package.json')
    return undefined
  const meant = isPython ? meantInPython(path, project) : meantInJavaScript(path, project)
  if (meant === undefined) return undefined
  const { file, by } = meant
  if (file !== undefined && !project.request.delivered.has(file)) return { kind: 'moved', from: file }
  const whose = file === undefined ? `an installed module that ${by} imports` : `${file}, which ${by} imports`
  return { kind: 'taken', because: `${path} takes the name of ${whose}.` }
}

/** What a test means by a name for which the new file comes first. No file: something installed. */
interface Meant {
  readonly file: string | undefined
  readonly by: string
}

function meantInJavaScript(path: string, project: Project): Meant | undefined {
  const { tree } = project.index()
  for (const { written, by } of importsOfChecks('javascript', project)) {
    const base = relativeBase(written, by)
    for (const order of base === undefined ? [] : candidateOrders(base)) {
      const file = order.find((candidate) => tree.has(candidate))
      const at = order.indexOf(path)
      if (file !== undefined && at !== -1 && at < order.indexOf(file)) return { file, by }
    }
  }
  return undefined
}

function meantInPython(path: string, project: Project): Meant | undefined {
  const { tree } = project.index()
  const filesOf = (module: string, by: string) => pythonBases(module, by).flatMap(pythonFiles)
  for (const { written, by } of importsOfChecks('python', project)) {
    const order = filesOf(written, by)
    const at = order.indexOf(path)
    if (at === -1) continue
    const file = order.find((candidate) => tree.has(candidate))
    if (file !== undefined && at < order.indexOf(file)) return { file, by }
    const [top = ''] = written.split('.')
    const isOwn = filesOf(top, by).some((candidate) => tree.has(candidate))
    if (file === undefined && !isOwn && isExternal(top, project)) return { file, by }
  }
  return undefined
}

function* importsOfChecks(language: Language, project: Project) {
  for (const by of project.earlier().checkFiles.filter((file) => languageOf(file) === language))
    for (const { kind, written } of nodeOf(by, project.index()).references)
      if (kind === 'import') yield { written, by }
}

function isExternalPath(path: string, project: Project): boolean {
  return modulePathOf(path)
    .split('/')
    .some((part) => isExternal(part, project))
}

/** A module that nobody declares may be one that is still to be written. */
function isExternal(name: string, { request: { baseline } }: Project): boolean {
  if (isKnownPythonModule(name)) return true
  const declared = new RegExp(
    `(?:^|["'\\s])${name.replaceAll(/[^\w]/gu, '').replaceAll('_', '[-_.]')}(?=["'\\s=<>~!;,[@]|$)`,
    'imu',
  )
  return manifests.some((manifest) => declared.test(baseline.text(manifest) ?? ''))
}

const manifests =
  'requirements.txt requirements-dev.txt dev-requirements.txt pyproject.toml setup.cfg setup.py Pipfile'.split(
    ' ',
  )
