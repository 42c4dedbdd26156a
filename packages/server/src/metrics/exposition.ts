/** The text format of Prometheus, version 0.0.4. */

export type Labels = Readonly<Record<string, string>>

interface Sample {
  readonly labels?: Labels
  readonly value: number
  /** After the name of its family, such as `_bucket`. */
  readonly suffix?: string
}

/** Samples of one name. */
export interface Family {
  readonly name: string
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly help: string
  readonly samples: readonly Sample[]
}

export function expositionText(families: readonly Family[]): string {
  return families
    .map(({ name, type, help, samples }) =>
      [
        `# HELP ${name} ${help.replace(/[\\\n]/g, escaped)}\n`,
        `# TYPE ${name} ${type}\n`,
        ...samples.map(
          ({ labels, value, suffix = '' }) => `${name}${suffix}${labelText(labels)} ${numberText(value)}\n`,
        ),
      ].join(''),
    )
    .join('')
}

function labelText(labels: Labels = {}): string {
  const pairs = Object.entries(labels).map(
    ([name, value]) => `${name}="${value.replace(/[\\\n"]/g, escaped)}"`,
  )
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escaped(character: string): string {
  return character === '\n' ? String.raw`\n` : `\\${character}`
}

function numberText(value: number): string {
  if (value === Infinity) return '+Inf'
  return value === -Infinity ? '-Inf' : String(value)
}
