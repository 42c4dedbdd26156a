/** What the guard would ask for in real commits, beside what it should ask for: the tests are run on every tree. */
import type { Placement } from '@donecheck/engine/sides'
import { honestCommits, type HonestCommit } from './commits.ts'
import type { Experiment } from './experiments.ts'
import type { Repository } from './git.ts'
import { independentTree, isSameTree, treeWithEarlierTests, wholeTree, type LaidTree } from './lay-out.ts'
import { placeFor, type CommandEnd, type PlaceOfTests } from './place-of-tests.ts'
import { expectedSide, type Project } from './projects.ts'
import { place } from './replay.ts'
import type { ExperimentedCommit } from './results.ts'
import { TreeReader, type CommitTree } from './trees.ts'
import { excusedIn } from './words.ts'

interface Trees {
  readonly baseline: CommitTree
  readonly delivered: CommitTree
  readonly placements: ReadonlyMap<string, Placement>
}

const nothing: ReadonlySet<string> = new Set()

const shownCharacters = 3_000

export async function experimentOn(
  repository: Repository,
  project: Project,
  experiment: Experiment,
  limit: number,
  tell: (commit: ExperimentedCommit) => void,
): Promise<ExperimentedCommit[]> {
  const reader = new TreeReader(repository)
  const results: ExperimentedCommit[] = []
  for (const commit of honestCommits(repository, project, limit)) {
    const baseline = reader.read(commit.parent)
    const delivered = reader.read(commit.hash)
    const placements = place(project, commit, baseline, delivered)
    const trees = { baseline, delivered, placements }
    const tests = await placeFor(project.name, wholeTree(delivered), experiment)
    const result = await resultOf(commit, project, trees, tests)
    results.push(result)
    tell(result)
  }
  return results
}

async function resultOf(
  commit: HonestCommit,
  project: Project,
  trees: Trees,
  tests: PlaceOfTests | undefined,
): Promise<ExperimentedCommit> {
  const { baseline, delivered, placements } = trees
  const deliveredTree = wholeTree(delivered)
  const independent = independentTree(baseline, delivered, placements, nothing)
  const isTest = (path: string) => expectedSide(path, project) === 'check'
  const earlier = treeWithEarlierTests(baseline, delivered, isTest)
  const known = {
    commit: commit.hash,
    subject: commit.subject,
    isRunTwice: !isSameTree(independent, deliveredTree),
    excused: [],
    placed: [...placements.values()].map(({ path, side, reason }) => `${side} (${reason}): ${path}`),
  }
  const unusable = (output: string) =>
    ({ ...known, answer: 'unusable', isAsked: false, isNeeded: false, output }) as const
  if (tests === undefined) return unusable('its dependencies cannot be installed')
  const own = await tests.run(deliveredTree)
  if (!own.isGreen) return unusable(own.output.slice(-shownCharacters))
  const plain = await endOf(tests, independent, deliveredTree, own)
  const excused = plain.isGreen ? nothing : excusedIn(baseline, delivered, placements)
  const excusing = independentTree(baseline, delivered, placements, excused)
  const asked = await endOf(tests, excusing, independent, plain)
  const needed = await endOf(tests, earlier, independent, plain)
  const isExcused = asked.isGreen && !plain.isGreen
  const answer = isExcused ? 'excused' : answerOf(!asked.isGreen, !needed.isGreen)
  const output = { right: '', excused: '', 'asked in vain': asked.output, 'not asked': needed.output }[answer]
  return {
    ...known,
    excused: [...excused],
    answer,
    isAsked: !asked.isGreen,
    isNeeded: !needed.isGreen,
    output: output.slice(-shownCharacters),
  }
}

/** Two runs are needed to call it red: a test that fails now and then says nothing of the trees. */
async function endOf(
  tests: PlaceOfTests,
  tree: LaidTree,
  former: LaidTree,
  formerEnd: CommandEnd,
): Promise<CommandEnd> {
  if (isSameTree(tree, former)) return formerEnd
  const first = await tests.run(tree)
  return first.isGreen ? first : tests.run(tree)
}

function answerOf(isAsked: boolean, isNeeded: boolean): 'right' | 'asked in vain' | 'not asked' {
  if (isAsked === isNeeded) return 'right'
  return isAsked ? 'asked in vain' : 'not asked'
}
