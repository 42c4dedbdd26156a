export const unknownFigure = '–'

function ofKnown(words: (value: number) => string) {
  return (value: number | null | undefined): string =>
    value === null || value === undefined ? unknownFigure : words(value)
}

export const whole = ofKnown((value) => Math.round(value).toLocaleString('en-US'))

export const compact = ofKnown((value) => {
  if (value < 1_000) return String(Math.round(value))
  const [unit, size] = value < 999_500 ? ['k', 1_000] : value < 999.5e6 ? ['M', 1e6] : ['G', 1e9]
  return `${(value / size).toFixed(value / size < 100 ? 1 : 0)}${unit}`
})

export const dollars = ofKnown((value) => `$${value.toFixed(value !== 0 && value < 0.1 ? 4 : 2)}`)

export const percent = ofKnown((share) => `${(share * 100).toFixed(0)} %`)

export const duration = ofKnown((ms) => {
  if (ms < 1_000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`
  const seconds = Math.round(ms / 1_000)
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  const [first = 0, ...rest] = parts[0] === 0 ? parts.slice(1) : parts
  return [String(first), ...rest.map((part) => String(part).padStart(2, '0'))].join(':')
})

const spans = [
  [60_000, 1_000, 's'],
  [3_600_000, 60_000, 'min'],
  [86_400_000, 3_600_000, 'h'],
  [Infinity, 86_400_000, 'd'],
] as const

export function ago(timeMs: number, nowMs: number): string {
  const passed = nowMs - timeMs
  if (passed < 5_000) return 'now'
  const [, size, unit] = spans.find(([below]) => passed < below) ?? spans[3]
  return `${Math.floor(passed / size)} ${unit}`
}

export function clock(timeMs: number): string {
  const date = new Date(timeMs)
  const two = (value: number) => String(value).padStart(2, '0')
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-')
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

export function elapsed(ms: number): string {
  return ms < 60_000 ? `+${(ms / 1_000).toFixed(2)}` : `+${duration(ms)}`
}
