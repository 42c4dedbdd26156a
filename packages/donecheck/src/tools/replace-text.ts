export type Replacement =
  | { readonly kind: 'replaced'; readonly text: string; readonly count: number }
  | { readonly kind: 'not-replaced'; readonly reason: string }

export interface ReplaceRequest {
  /** Not empty. */
  readonly oldText: string
  readonly newText: string
  /** False: the old text must stand there exactly once. */
  readonly replaceAll: boolean
  readonly maxLength: number
}

/** More places are not looked for, nor told. */
const mostPlaces = 20
/** Of the old text, when a place with other white space is looked for. */
const mostComparedLines = 50

/** Exact replacement. Places may overlap: then it is not clear either which one is meant. */
export function replaceText(
  text: string,
  { oldText, newText, replaceAll, maxLength }: ReplaceRequest,
): Replacement {
  if (oldText === newText) return refused('old_text and new_text are the same: nothing would change')
  const places = placesOf(text, oldText)
  if (places.length === 0) return refused(`old_text was not found${nearlyFound(text, oldText)}`)
  if (places.length > 1 && !replaceAll) return refused(foundTooOften(text, places))
  const pieces = replaceAll ? text.split(oldText) : splitOnce(text, oldText)
  const count = pieces.length - 1
  const length = text.length + count * (newText.length - oldText.length)
  if (length > maxLength) return refused(`the result would have ${length} characters, more than ${maxLength}`)
  return { kind: 'replaced', text: pieces.join(newText), count }
}

function splitOnce(text: string, oldText: string): readonly string[] {
  const start = text.indexOf(oldText)
  return [text.slice(0, start), text.slice(start + oldText.length)]
}

function placesOf(text: string, oldText: string): readonly number[] {
  const places: number[] = []
  let place = text.indexOf(oldText)
  while (place !== -1 && places.length < mostPlaces) {
    places.push(place)
    place = text.indexOf(oldText, place + 1)
  }
  return places
}

function foundTooOften(text: string, places: readonly number[]): string {
  const often = `${places.length}${places.length === mostPlaces ? ' or more' : ''} times`
  const lines = places.map((place) => lineAt(text, place)).join(', ')
  return `old_text was found ${often}, at lines ${lines}: give more of the text around the one that is meant, or set replace_all`
}

/** Counted from 1. */
function lineAt(text: string, place: number): number {
  return text.slice(0, place).split('\n').length
}

/** The usual mistake is white space. */
function nearlyFound(text: string, oldText: string): string {
  const wanted = trimmedLines(oldText.trim()).slice(0, mostComparedLines)
  const lines = trimmedLines(text)
  const index = lines.findIndex((_, start) => wanted.every((line, offset) => lines[start + offset] === line))
  if (wanted.join('') === '' || index === -1) return ': read the file again, and copy the text exactly'
  return `: there is a place at line ${index + 1} that differs in white space`
}

function trimmedLines(text: string): readonly string[] {
  return text.split('\n').map((line) => line.trim().replace(/\s+/g, ' '))
}

function refused(reason: string): Replacement {
  return { kind: 'not-replaced', reason }
}
