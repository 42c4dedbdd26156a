/** Every detector of the comparison: ours, the rivals', the simplest one as a measuring stick. */
import type { Detector } from './detector.ts'
import { sameCallAndResult } from './measure/baseline.ts'
import { ours } from './ours/index.ts'
import { clineWithMistakes } from './rivals/cline.ts'
import { realOpenClaw, realOpenClawClassic, rivals } from './rivals/index.ts'

export interface Field {
  readonly detectors: readonly Detector[]
  /** Names of the rivals that compare results; one that only looks whether a call failed is none of them. */
  readonly resultRivals: ReadonlySet<string>
  /** What is missing, in words. */
  readonly problems: readonly string[]
}

/** Whether the detector is a single rule of another, called "OTHER: RULE". Parts are told of apart from whole detectors. */
export function isPart({ name }: Detector): boolean {
  return /^[\w -]+: \w+$/.test(name)
}

/**
 * `words`: only detectors whose name holds one of them; none: all.
 *
 * @throws TypeError two detectors have the same name, or no name holds a word.
 */
export async function fieldOf(words: readonly string[]): Promise<Field> {
  const real = await Promise.all([realOpenClaw(), realOpenClawClassic()])
  const theirs = [...rivals, ...real.filter((detector) => detector !== undefined)]
  const all = [...ours, ...theirs, sameCallAndResult(5)]
  const twice = all.find(({ name }, place) => all.findIndex((other) => other.name === name) !== place)
  if (twice !== undefined) throw new TypeError(`two detectors are called '${twice.name}'`)
  const wanted = words.map((word) => word.toLowerCase())
  const detectors = all.filter(
    ({ name }) => wanted.length === 0 || wanted.some((word) => name.toLowerCase().includes(word)),
  )
  if (detectors.length === 0) {
    throw new TypeError(
      `no detector is called '${words.join("' or '")}'; there are: ${all.map(({ name }) => name).join(', ')}`,
    )
  }
  return {
    detectors,
    resultRivals: new Set(
      theirs
        .filter(({ name, readsResults }) => readsResults && name !== clineWithMistakes.name)
        .map(({ name }) => name),
    ),
    problems: [
      ...(real[0] === undefined ? ["OpenClaw's own detector is not installed here: left out"] : []),
      ...(real[1] === undefined ? ["OpenClaw's own older detector is not installed here: left out"] : []),
    ],
  }
}
