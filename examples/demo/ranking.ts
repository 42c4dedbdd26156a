/** Which repair is tried first: what the failing check speaks of goes before what it does not. Pure. */
import { mutationKinds, type Candidate } from './mutations/index.ts'

export interface Clues {
  /** What the check printed. */
  readonly feedback: string
  /** The lines of the tests that it points at. */
  readonly quoted: string
}

/** How much a clue is worth. Likelihood of the kind of slip is worth up to 3. */
const weights = { line: 8, called: 4, named: 1, file: 1, number: 2, word: 1, kind: 3 } as const

/** The same candidates, the most promising first. @param sources texts by file name */
export function ranked(
  candidates: readonly Candidate[],
  sources: ReadonlyMap<string, string>,
  clues: Clues,
): readonly Candidate[] {
  const said = `${clues.feedback}\n${clues.quoted}`
  const called = new Set(namesOf(clues.quoted))
  const named = new Set(namesOf(clues.feedback))
  const words = new Set(longWords(said))
  const numbers = new Set(numbersOf(said))
  const scored = candidates.map((candidate) => {
    const line = sources.get(candidate.file)?.split('\n')[candidate.line - 1] ?? ''
    const evidence =
      (pointsAt(clues.feedback, candidate) ? weights.line : 0) +
      (called.has(candidate.functionName) ? weights.called : 0) +
      (named.has(candidate.functionName) ? weights.named : 0) +
      (said.includes(baseName(candidate.file)) ? weights.file : 0) +
      (numbersOf(line).some((number) => numbers.has(number)) ? weights.number : 0) +
      (longWords(line).some((word) => words.has(word)) ? weights.word : 0)
    return { candidate, score: evidence + likelihood(candidate) }
  })
  return scored.toSorted((one, other) => other.score - one.score).map(({ candidate }) => candidate)
}

function likelihood({ kind }: Candidate): number {
  return weights.kind * (1 - mutationKinds.indexOf(kind) / mutationKinds.length)
}

/** A stack frame such as `src/cart.js:12:7`. */
function pointsAt(feedback: string, { file, line }: Candidate): boolean {
  const place = `${file}:${line}`
  const at = feedback.indexOf(place)
  return at >= 0 && !/\d/.test(feedback.charAt(at + place.length))
}

function baseName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1)
}

function namesOf(text: string): readonly string[] {
  return text.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []
}

/** Short words are everywhere. */
function longWords(text: string): readonly string[] {
  return namesOf(text.toLowerCase()).filter((name) => name.length > 3)
}

/** Whole numbers of more than one digit: every text is full of the others. */
function numbersOf(text: string): readonly string[] {
  return text.match(/(?<![\w.])\d{2,}(?![\w.]*\w)/g) ?? []
}
