/**
 * `node bench/detectors/generated/print.ts [--half tune|report|all] [--detector NAME]… [--class WORD]… [--variants N]
 * [--details]`: the tables on standard output, of the half for tuning where nothing is said. NAME and WORD are names, or parts
 * of names in any case.
 */
import { parseArgs } from 'node:util'
import type { Detector } from '../detector.ts'
import { ours } from '../ours/index.ts'
import { realOpenClaw, rivals } from '../rivals/index.ts'
import { generatedClasses, type Half } from './classes.ts'
import { generatedTable } from './generated-table.ts'

const { values } = parseArgs({
  options: {
    half: { type: 'string', default: 'tune' },
    detector: { type: 'string', multiple: true, default: [] },
    class: { type: 'string', multiple: true, default: [] },
    variants: { type: 'string', default: '50' },
    details: { type: 'boolean' },
  },
})

function halfOf(text: string): Half {
  if (text === 'tune' || text === 'report' || text === 'all') return text
  throw new RangeError(`--half must be tune, report or all: "${text}"`)
}

function variantsOf(text: string): number {
  const variants = Number(text)
  if (Number.isInteger(variants) && variants > 0) return variants
  throw new RangeError(`--variants must be a whole number above 0: "${text}"`)
}

/** Without words: everything. A whole name means that one alone. */
function named<T extends { readonly name: string }>(
  all: readonly T[],
  words: readonly string[],
): readonly T[] {
  const isMeant = (name: string) => (word: string) =>
    all.some((one) => one.name === word) ? name === word : name.toLowerCase().includes(word.toLowerCase())
  const chosen = all.filter(({ name }) => words.length === 0 || words.some(isMeant(name)))
  if (chosen.length > 0) return chosen
  throw new RangeError(
    `nothing is called ${words.join(', ')}; there is: ${all.map(({ name }) => name).join(', ')}`,
  )
}

const real = await realOpenClaw()
const detectors: readonly Detector[] = [...ours, ...rivals, ...(real === undefined ? [] : [real])]
const { markdown } = generatedTable(named(detectors, values.detector), {
  half: halfOf(values.half),
  variants: variantsOf(values.variants),
  classes: named(generatedClasses, values.class),
  ...(values.details === undefined ? {} : { withDetails: values.details }),
})
process.stdout.write(markdown)
