import type { ObstacleKind, Span } from '../decomposition.ts'
import { formatText } from '../reading-state.ts'
import type { ReadWord } from '../words/word.ts'

/** Something else that a program runs. */
export type Start =
  | {
      readonly kind: 'words'
      readonly through: string
      readonly words: readonly ReadWord[]
      /** Words of its standard input are put behind. */
      readonly takesInput?: true
    }
  | ScriptStart
  /** Its standard input, read as commands. */
  | {
      readonly kind: 'input'
      readonly through: string
      readonly isBash: boolean
      /** As those of a script. */
      readonly arguments?: readonly ReadWord[]
    }

export interface ScriptStart {
  readonly kind: 'script'
  readonly through: string
  readonly script: ReadWord
  /** The shell that reads it is one that reads as `bash` does. */
  readonly isBash: boolean
  /** `$0`, `$1` … of the text; undefined: those of the shell around it. */
  readonly arguments?: readonly ReadWord[]
}

export interface StartObstacle {
  readonly kind: ObstacleKind
  readonly reason: string
  /** Undefined: the whole command. */
  readonly word?: ReadWord
  /** See `Obstacle`. */
  readonly subject?: string
  /** It is there because the word is evaluated as arithmetic: none where that holds nothing but numbers. */
  readonly isSum?: true
}

/** What a program that was found runs in its turn. Of most programs nothing: what they do is their own. */
export interface Started {
  readonly starts?: readonly Start[]
  /** See `FoundCommand`. Default false. */
  readonly isTransparent?: boolean
  readonly obstacles?: readonly StartObstacle[]
}

/** `/usr/bin/RM` and `rm.exe` are `rm`: some file systems find `RM` as well. */
export function programName(text: string): string {
  return text
    .slice(text.lastIndexOf('/') + 1)
    .replace(/\.(exe|cmd|bat)$/i, '')
    .toLowerCase()
}

export function elsewhere(reason: string, word?: ReadWord): StartObstacle {
  return { kind: 'elsewhere', reason, ...(word === undefined ? {} : { word }) }
}

export function unknownScript(word: ReadWord): StartObstacle {
  return {
    kind: 'dynamic-script',
    reason: `"${formatText(word.written)}" is run as commands and only known when it runs`,
    word,
  }
}

/** A text for a shell, and an obstacle where it is not known. */
export function scriptStarted(
  script: ReadWord,
  through: string,
  more: Partial<Pick<ScriptStart, 'isBash' | 'arguments'>> = {},
): { readonly start: Start; readonly obstacles: readonly StartObstacle[] } {
  return {
    start: { kind: 'script', through, script, isBash: false, ...more },
    obstacles: script.text === null ? [unknownScript(script)] : [],
  }
}

/** The same of several texts. */
export function scriptsStarted(
  scripts: readonly ReadWord[],
  through: string,
): Required<Pick<Started, 'starts' | 'obstacles'>> {
  const started = scripts.map((script) => scriptStarted(script, through))
  return {
    starts: started.map(({ start }) => start),
    obstacles: started.flatMap(({ obstacles }) => obstacles),
  }
}

/** Several words as the one text that a shell gets of them. */
export function joinWords(words: readonly ReadWord[]): ReadWord {
  return {
    text: words.every(({ text }) => text !== null) ? words.map(({ text }) => text).join(' ') : null,
    written: words.map(({ written }) => written).join(' '),
    span: spanOfWords(words),
    guess: words.map(({ guess }) => guess).join(' '),
  }
}

export function spanOfWords(words: readonly ReadWord[]): Span {
  const [first, last] = [words[0]?.span, words.at(-1)?.span]
  return first && last ? [first[0], last[1]] : null
}
