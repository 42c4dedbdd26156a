/**
 * Text chanting as gemini-cli finds it and qwen-code after it: a chunk of 50 characters that comes ten times, close
 * together and with much the same text between. Positions count from the first character ever appended, so nothing has to be
 * moved when the window slides; what is found is the same.
 */
export interface ChantingLimits {
  /** Mean distance of the last ten sightings, in characters. */
  readonly maxMeanGap: number
}

export interface Chanting {
  /** True: the text appended now completed a chant. */
  readonly append: (text: string) => boolean
  readonly reset: () => void
}

const chunkLength = 50
const windowLength = 5000
const sightingsNeeded = 10
/** Different texts between the last ten sightings. */
const maxStretches = 5

interface Tracking {
  text: string
  /** Position of the first character of `text`. */
  offset: number
  next: number
  sightings: Map<string, readonly number[]>
}

export function chanting({ maxMeanGap }: ChantingLimits): Chanting {
  let tracking = fresh()
  return {
    append(text) {
      tracking.text += text
      slide(tracking)
      for (; tracking.next + chunkLength <= tracking.offset + tracking.text.length; tracking.next += 1) {
        if (isChant(tracking, sightingsAt(tracking), maxMeanGap)) return true
      }
      return false
    },
    reset() {
      tracking = fresh()
    },
  }
}

function fresh(): Tracking {
  return { text: '', offset: 0, next: 0, sightings: new Map() }
}

/** Keeps the last 5,000 characters; chunks last seen before them are dropped once they are as many as the others. */
function slide(tracking: Tracking): void {
  const excess = tracking.text.length - windowLength
  if (excess <= 0) return
  tracking.text = tracking.text.slice(excess)
  tracking.offset += excess
  tracking.next = Math.max(tracking.next, tracking.offset)
  if (tracking.sightings.size < 2 * windowLength) return
  for (const [chunk, positions] of tracking.sightings) {
    const last = positions.at(-1) ?? 0
    if (last < tracking.offset) tracking.sightings.delete(chunk)
  }
}

/** The last ten sightings of the chunk that begins at `next`, that one included. Ten that are close lie within the window. */
function sightingsAt({ text, offset, next, sightings }: Tracking): readonly number[] {
  const chunk = text.slice(next - offset, next - offset + chunkLength)
  const positions = [...(sightings.get(chunk) ?? []), next].slice(-sightingsNeeded)
  sightings.set(chunk, positions)
  return positions
}

function isChant({ text, offset }: Tracking, positions: readonly number[], maxMeanGap: number): boolean {
  if (positions.length < sightingsNeeded) return false
  const [first = 0] = positions
  const last = positions.at(-1) ?? 0
  if ((last - first) / (sightingsNeeded - 1) > maxMeanGap) return false
  const stretches = positions
    .slice(1)
    .map((end, at) => text.slice((positions[at] ?? 0) - offset, end - offset))
  return new Set(stretches).size <= maxStretches
}
