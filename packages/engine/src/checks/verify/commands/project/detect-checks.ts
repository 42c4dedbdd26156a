import { findProgram } from '../../../../system/process/index.ts'
import {
  projectFiles,
  type Candidate,
  type CheckKind,
  type DetectedCheck,
  type DetectedProject,
  type Detector,
  type HasProgram,
} from './detected.ts'
import { compiledDetectors, detectCmake, detectRuby, otherDetectors } from './ecosystems/manifests.ts'
import { detectNode } from './ecosystems/node.ts'
import { detectPython } from './ecosystems/python.ts'
import { detectDeno, detectJust, detectMake, detectPhp } from './ecosystems/script-files.ts'

/** In order of preference, among scripts and among tools. */
const detectors: readonly Detector[] = [
  ...[detectNode, detectDeno, detectMake, detectJust, detectPython],
  ...[...compiledDetectors, detectPhp, detectRuby, ...otherDetectors, detectCmake],
]

/**
 * The commands with which a project checks itself, from its manifests, and why each was chosen. The project's own script
 * comes before what its tools let us conclude, and a program that is installed before one that is not. Reads a bounded
 * number of files; runs nothing; never rejects.
 */
export async function detectChecks(
  folder: string,
  hasProgram: HasProgram = (name) => findProgram(name) !== undefined,
): Promise<DetectedProject> {
  const files = projectFiles(folder, hasProgram)
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
  const best = fitting.find(({ source }) => source === 'script') ?? fitting[0]
  if (best === undefined) return { kind: 'not-found', lookedFor: lookedFor[check] }
  const others = [...new Set(fitting.map(({ command }) => `"${command}"`))].filter(
    (command) => command !== `"${best.command}"`,
  )
  const wins = best.source === 'script' ? 'the project’s own script wins over' : 'there is also'
  const instead = others.length === 0 ? '' : `; ${wins} ${others.slice(0, maxOthers).join(', ')}`
  return { kind: 'found', command: best.command, why: `${best.why}${instead}` }
}

const maxOthers = 4

const manifests =
  'package.json, deno.json, Makefile, justfile, pyproject.toml, setup.cfg, tox.ini, noxfile.py, go.mod, Cargo.toml, pom.xml, ' +
  'build.gradle, composer.json, Gemfile, mix.exs, *.sln, *.csproj, CMakeLists.txt, Package.swift'

const lookedFor: Readonly<Record<CheckKind, string>> = {
  tests: `a script or target "test", or a test runner, in ${manifests}`,
  lint: `a script or target "lint", or a configured linter, in ${manifests}`,
  typecheck: `a script or target "typecheck", or a configured type checker or compiler, in ${manifests}`,
  build: `a script or target "build", or a compiler, in ${manifests}`,
}
