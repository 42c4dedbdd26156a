/** Which runs do what is decided by a coin and recorded, so that they can be compared later. */
import { UsageError } from '@donecheck/engine/base'
import type { Config } from '../../../config/index.ts'

/** Such as `memory=on,off`. */
const experimentForm = /^([A-Za-z][\w.-]*)=([^,]+(?:,[^,]+)+)$/

/**
 * The labels of a run with the values that the coin has chosen; nothing is left to choose. A label that names a value already
 * decides instead of the coin.
 * @param draw a whole number of at least 0 and less than what it is given
 * @throws {UsageError} for what is no experiment
 */
export function withExperiments(config: Config, draw: (choices: number) => number): Config {
  const { experiments, ...rest } = config
  if (experiments === undefined) return config
  const labels = [...(config.labels ?? [])]
  for (const given of experiments) {
    const { name, values } = experimentOf(given)
    if (chosenValue({ labels }, name) === undefined)
      labels.push(`${name}=${values[draw(values.length)] ?? ''}`)
  }
  return { ...rest, labels }
}

/** What was chosen of the experiment, such as `off` of `memory`; undefined: the run is in none of that name. */
export function chosenValue({ labels = [] }: Pick<Config, 'labels'>, name: string): string | undefined {
  return labels.find((label) => label.startsWith(`${name}=`))?.slice(name.length + 1)
}

function experimentOf(given: string): { readonly name: string; readonly values: readonly string[] } {
  const [, name, list = ''] = experimentForm.exec(given) ?? []
  const values = list.split(',').map((value) => value.trim())
  if (name !== undefined && new Set(values).size === values.length && !values.includes(''))
    return { name, values }
  throw new UsageError(
    `--experiment "${given}" is not of the form name=a,b: a name and at least two different values`,
  )
}
