import type { Obstacle } from '../decomposition.ts'
import { shorten } from '../reading/findings.ts'
import type { ReadWord } from '../reading/words.ts'

/** Something else that a program runs. */
export type Start =
  /** `takesInput`: words of its standard input are appended. */
  | {
      readonly kind: 'words'
      readonly through: string
      readonly words: readonly ReadWord[]
      readonly takesInput?: true
    }
  | { readonly kind: 'script'; readonly through: string; readonly script: ReadWord }
  /** Its standard input, read as commands. */
  | { readonly kind: 'input'; readonly through: string }

export interface StartObstacle extends Omit<Obstacle, 'span'> {
  /** Absent: the whole command. */
  readonly word?: ReadWord
  /** The word is evaluated as arithmetic: no obstacle if it holds nothing but numbers. */
  readonly isSum?: true
}

export interface Started {
  readonly starts?: readonly Start[]
  /** See `FoundCommand`. Default false. */
  readonly isTransparent?: boolean
  readonly obstacles?: readonly StartObstacle[]
}

export function scriptsStarted(scripts: readonly ReadWord[], through: string): Started {
  return {
    starts: scripts.map((script) => ({ kind: 'script', through, script })),
    obstacles: scripts.flatMap((script) => (script.text === null ? [unknownScript(script)] : [])),
  }
}

export function elsewhere(reason: string, subject?: string): StartObstacle {
  return { kind: 'elsewhere', reason, ...(subject === undefined ? {} : { subject }) }
}

export function unknownScript(word: ReadWord): StartObstacle {
  const reason = `"${shorten(word.written)}" is run as commands and only known when it runs`
  return { kind: 'dynamic-script', reason, word }
}

/** @param args the words behind the program */
export type Starter = (args: readonly ReadWord[], words: readonly ReadWord[]) => Started | undefined
