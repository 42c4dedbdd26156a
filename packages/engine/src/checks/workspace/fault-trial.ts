/** Can a check fail at all? It is run in copies of the work tree whose product is broken. */
import { realpathSync } from 'node:fs'
import { glob, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { protectionOf } from '../../analysis/protect/index.ts'
import { isProductSource, startedByChecks } from '../../analysis/sides/index.ts'
import { assertKnownKeys, messageOf, optionKeys } from '../../base/index.ts'
import type {
  FaultTrial,
  FaultTrialResult,
  Verifier,
  VerifierContext,
  VerifierReport,
} from '../../ports/checks.ts'
import { openTrees, type OverlayFile } from '../../trees/index.ts'
import { layCopy } from './copies/lay-copy.ts'
import type { Dependencies } from './copies/dependencies.ts'
import { ContentDigests, fileReader } from './tree/content-digests.ts'
import { readableTree } from './guard/sided-changes.ts'
import { readTree } from './tree/read-tree.ts'
import { bytePathOfText, textOf, type BytePath } from './tree/tree-entry.ts'

interface FaultTrialOptions {
  readonly workFolder: string
  /** Where trees are stored, outside of the work folder. */
  readonly snapshotFolder: () => string
  /** For all copies of one check together. */
  readonly maxMs: number
  /** Globs of files that belong to the checks. */
  readonly protect?: readonly string[]
  readonly checkCommands?: readonly string[]
  /** Installed packages in a copy. Default `link`. */
  readonly dependencies?: Dependencies
}

const keys = optionKeys<FaultTrialOptions>()(
  'workFolder! snapshotFolder! maxMs! protect checkCommands dependencies',
)

/** No language or format of settings that we know can read it. */
const unreadable = Buffer.from(')(\n\t"[: {\n')

/** Time in which a check may end its work by itself after it was asked to. */
const graceMs = 10_000

/** A longer timer would fire at once. */
const maxTimerMs = 2 ** 31 - 1

interface Fault {
  /** As the end of "a copy with …". */
  readonly what: string
  readonly overlay: ReadonlyMap<BytePath, OverlayFile | null>
}

/**
 * Breaks the product as much as it can: first every source is made unreadable, then every file of the product is deleted, for
 * checks that only look whether something is there. A check that passes both times notices no smaller fault either. The tests
 * and the settings of tools stay as they are, and the work folder is never touched.
 */
export function faultTrial(options: FaultTrialOptions): FaultTrial {
  assertKnownKeys(options, keys, 'faultTrial')
  const { maxMs, dependencies = 'link' } = options
  return {
    async tryToFail(check, line, context, signal) {
      const folder = realpathSync(resolve(options.workFolder))
      const tree = await readTree(folder, new ContentDigests(fileReader), signal)
      const trees = openTrees(options.snapshotFolder())
      const product = productIn(tree, folder, line, options)
      const sources = product.filter(isProductSource)
      if (sources.length === 0) return { kind: 'nothing-to-break' }
      const broken = (path: string): OverlayFile => {
        const mode = tree.get(bytePathOfText(path))?.mode ?? 0o644
        return { kind: 'file', content: unreadable, mode }
      }
      const faults: readonly Fault[] = [
        { what: 'every source file made unreadable', overlay: overlayOf(sources, broken) },
        { what: 'every product file deleted', overlay: overlayOf(product, () => null) },
      ]
      const limit = new AbortController()
      const timer = setTimeout(() => limit.abort(), Math.min(maxMs, maxTimerMs))
      const within = AbortSignal.any([signal, limit.signal])
      try {
        for (const fault of faults) {
          const request = { trees, folder, entries: tree, overlay: fault.overlay, dependencies }
          const copy = await layCopy(request, signal)
          const result = await tryIn(copy.folder, check, context, within).finally(() => copy.dispose())
          signal.throwIfAborted()
          if (result.status === 'failed') return { kind: 'red', fault: fault.what }
          if (result.status !== 'passed') return { kind: 'undecided', reason: result.reason }
        }
        return await greenUnlessElsewhere(folder)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

function productIn(
  tree: Awaited<ReturnType<typeof readTree>>,
  folder: string,
  line: string,
  { protect = [], checkCommands = [] }: FaultTrialOptions,
): readonly string[] {
  const lines = [...new Set([...checkCommands, line])]
  const started = startedByChecks(lines, readableTree(tree, folder))
  return [...tree.keys()].flatMap((bytePath) => {
    const path = textOf(bytePath)
    const isOfChecks =
      started.has(path) || protectionOf(path, { protect, mayChange: [], checkCommands: lines }) !== undefined
    // Hidden files are settings of tools, by the usual convention.
    const isHidden = path.split('/').some((part) => part.startsWith('.'))
    return isOfChecks || isHidden || bytePathOfText(path) !== bytePath ? [] : [path]
  })
}

function overlayOf(paths: readonly string[], versionOf: (path: string) => OverlayFile | null) {
  return new Map(paths.map((path) => [bytePathOfText(path), versionOf(path)]))
}

/** The copy is as good as the tree of a turn: nothing is remembered of it, and nothing compared. */
function tryIn(
  workFolder: string,
  check: Verifier,
  context: VerifierContext,
  signal: AbortSignal,
): Promise<Pick<VerifierReport, 'status' | 'reason'>> {
  const own = {
    ...context,
    workFolder,
    trigger: 'turn',
    fingerprint: undefined,
    baseline: undefined,
  } as const
  return askWithin(() => check.verify(own, signal), signal)
}

/** Never rejects, and waits for nobody who does not listen to the signal. */
async function askWithin(
  ask: () => Promise<VerifierReport>,
  signal: AbortSignal,
): Promise<Pick<VerifierReport, 'status' | 'reason'>> {
  const settled = new AbortController()
  const silent = (reason: string) => ({ status: 'error', reason }) as const
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true, signal: settled.signal })
  })
  const givenUp = aborted
    .then(() => pause(graceMs, undefined, { signal: settled.signal }))
    .then(() => silent('it was asked to end and did not'))
  try {
    return await Promise.race([ask(), givenUp])
  } catch (error) {
    return silent(messageOf(error))
  } finally {
    settled.abort()
    givenUp.catch(() => undefined)
  }
}

async function greenUnlessElsewhere(folder: string): Promise<FaultTrialResult> {
  const install = await findEditableInstall(folder)
  return install === undefined
    ? { kind: 'green' }
    : { kind: 'undecided', reason: `${install} makes the check read the work folder, not the copy` }
}

/** What pip and a person write for an editable install: lines of paths, and finders that map a package to its folder. */
const pointers = [
  '{.venv,venv,env}/lib/python*/site-packages/*.pth',
  '{.venv,venv,env}/lib/python*/site-packages/__editable__*.py',
  '{.venv,venv,env}/Lib/site-packages/*.pth',
]

/** The path of an installed file that names the work folder: a check in a copy then imports the work folder itself. */
async function findEditableInstall(workFolder: string): Promise<string | undefined> {
  for await (const path of glob(pointers, { cwd: workFolder })) {
    const text = await readFile(join(workFolder, path), 'utf8').catch(() => '')
    if (text.includes(workFolder)) return path
  }
  return undefined
}
