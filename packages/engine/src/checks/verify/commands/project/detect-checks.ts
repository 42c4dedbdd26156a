import { findProgram } from '../../../../system/process/index.ts'
import { ecosystems } from './ecosystems.ts'
import { detectNode } from './node.ts'
import {
  candidatesOf,
  projectFiles,
  scriptsAmong,
  type Candidate,
  type CheckKind,
  type Detection,
  type Ecosystem,
  type ProjectFiles,
} from './project-files.ts'
import { detectPython } from './python.ts'

type DetectedCheck =
  | { readonly kind: 'found'; readonly command: string; readonly why: string }
  | { readonly kind: 'not-found'; readonly lookedFor: string }

type DetectedProject = Readonly<Record<CheckKind, DetectedCheck>> & {
  /** Unreadable manifests, one sentence each. */
  readonly problems: readonly string[]
}

/** Finds a project's check commands and the reasons; scripts before tools. Runs nothing, never rejects. */
export async function detectChecks(
  folder: string,
  hasProgram: (name: string) => boolean = (name) => findProgram(name) !== undefined,
): Promise<DetectedProject> {
  const files = projectFiles(folder, hasProgram)
  const [deno, make, just, ...others] = ecosystems
  // In order of preference.
  const detectors = [
    ...[detectNode, detectionOf(deno), detectionOf(make), detectionOf(just), detectPython],
    ...others.map(detectionOf),
  ]
  const found = await Promise.all(detectors.map((detect) => detect(files)))
  const candidates = found.flatMap((detection) => detection.candidates)
  const chosen = (check: CheckKind) => chooseCandidate(check, candidates)
  return {
    tests: chosen('tests'),
    lint: chosen('lint'),
    typecheck: chosen('typecheck'),
    build: chosen('build'),
    problems: found.flatMap(({ problems = [] }) => problems),
  }
}

function chooseCandidate(check: CheckKind, candidates: readonly Candidate[]): DetectedCheck {
  const fitting = candidates.filter((candidate) => candidate.check === check)
  const best = fitting.find(({ isScript }) => isScript === true) ?? fitting[0]
  if (best === undefined) return { kind: 'not-found', lookedFor: `${lookedFor[check]}, in ${manifests}` }
  const others = [...new Set(fitting.map(({ command }) => `"${command}"`))].filter(
    (command) => command !== `"${best.command}"`,
  )
  const wins = best.isScript === true ? 'the project’s own script wins over' : 'there is also'
  const instead = others.length === 0 ? '' : `; ${wins} ${others.slice(0, 4).join(', ')}`
  return { kind: 'found', command: best.command, why: `${best.why}${instead}` }
}

const manifests =
  'package.json, deno.json, Makefile, justfile, pyproject.toml, setup.cfg, tox.ini, go.mod, Cargo.toml, pom.xml, ' +
  'build.gradle, composer.json, Gemfile, mix.exs, *.sln, *.csproj, CMakeLists.txt, Package.swift'

const lookedFor: Readonly<Record<CheckKind, string>> = {
  tests: 'a script or target "test", or a test runner',
  lint: 'a script or target "lint", or a configured linter',
  typecheck: 'a script or target "typecheck", or a configured type checker or compiler',
  build: 'a script or target "build", or a compiler',
}

function detectionOf({ marker, what, scripts, wrapper, checks, problem }: Ecosystem) {
  return async (files: ProjectFiles): Promise<Detection> => {
    const file =
      marker instanceof RegExp
        ? (await files.names('.')).find((name) => marker.test(name))
        : await files.first(marker)
    const manifest = file === undefined ? undefined : await files.text(file)
    if (file === undefined || manifest === undefined) return { candidates: [] }
    const hasWrapper = wrapper !== undefined && (await files.has(wrapper))
    const why = hasWrapper ? `${file}, with its wrapper ${wrapper}` : `${file} makes it ${what}`
    const rows = checks?.(manifest, hasWrapper ? `./${wrapper}` : undefined, file) ?? []
    const tools = await candidatesOf(files, rows, file, why)
    const found = scripts?.read(manifest)
    const own =
      scripts === undefined || found === undefined
        ? []
        : scriptsAmong(
            found,
            (name) => `${scripts.runner} ${name}`,
            (name) => `${file} has the ${scripts.word} "${name}"`,
          )
    const isUnreadable = scripts !== undefined && found === undefined
    const problems = [
      ...(isUnreadable ? [`${file} cannot be read: it is no JSON with ${scripts.word}s`] : []),
      ...(problem === undefined || tools.length > 0 ? [] : [problem]),
    ]
    return { candidates: [...own, ...tools], problems }
  }
}
