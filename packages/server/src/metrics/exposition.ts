/** What Prometheus reads: its text format, version 0.0.4, and what is counted for it. */

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

/** Sums by labels, which only grow. */
export class Counts {
  readonly #sums = new Map<string, { readonly labels: Labels; value: number }>()

  add(labels: Labels, value = 1): void {
    const key = JSON.stringify(labels)
    const sum = this.#sums.get(key) ?? { labels, value: 0 }
    this.#sums.set(key, sum)
    sum.value += value
  }

  family(name: string, help: string): Family {
    return { name, help, type: 'counter', samples: [...this.#sums.values()].map((sum) => ({ ...sum })) }
  }
}

/** How many were at most so large, and their sum. */
export class Distribution {
  readonly #bounds: readonly number[]
  readonly #atMost: number[]
  #count = 0
  #sum = 0

  /** @param bounds ascending, in the unit of what is measured */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds
    this.#atMost = bounds.map(() => 0)
  }

  add(value: number): void {
    this.#bounds.forEach((bound, index) => {
      if (value <= bound) this.#atMost[index] = (this.#atMost[index] ?? 0) + 1
    })
    this.#count += 1
    this.#sum += value
  }

  family(name: string, help: string): Family {
    const buckets = this.#bounds.map((bound, index) => ({
      le: String(bound),
      value: this.#atMost[index] ?? 0,
    }))
    return {
      ...{ name, help, type: 'histogram' },
      samples: [
        ...[...buckets, { le: '+Inf', value: this.#count }].map(({ le, value }) => ({
          ...{ suffix: '_bucket', labels: { le }, value },
        })),
        { suffix: '_sum', value: this.#sum },
        { suffix: '_count', value: this.#count },
      ],
    }
  }
}
