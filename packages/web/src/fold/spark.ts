export interface Spark {
  readonly path: string
  readonly x: number
  readonly y: number
}

const maxReadings = 40

/** Undefined without readings. The bottom edge is 0. */
export function sparkOf(readings: readonly number[], width: number, height: number): Spark | undefined {
  const shown = readings.slice(-maxReadings)
  const top = Math.max(1, ...shown)
  const points = shown.map((value, index) => ({
    x: shown.length === 1 ? width : (index / (shown.length - 1)) * width,
    y: height - (value / top) * height,
  }))
  const last = points.at(-1)
  if (last === undefined) return undefined
  const path = points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('')
  return { path, x: round(last.x), y: round(last.y) }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
