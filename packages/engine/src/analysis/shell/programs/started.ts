import type { Obstacle } from '../decomposition.ts'
import { shorten } from '../reading/findings.ts'
import type { ReadWord } from '../reading/words.ts'

export type Start =
  /** `takesInput`: appends words of standard input. */
  | {
      readonly kind: 'words'
      readonly through: string
      readonly words: readonly ReadWord[]
      readonly takesInput?: true
    }
  | { readonly kind: 'script'; readonly through: string; readonly script: ReadWord }
  | { readonly kind: 'input'; readonly through: string }

export interface StartObstacle extends Omit<Obstacle, 'span'> {
  /** Absent for the whole command. */
  readonly word?: ReadWord
  /** Evaluated as arithmetic: no obstacle if it contains only numbers. */
  readonly isSum?: true
}

export interface Started {
  readonly starts?: readonly Start[]
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

/** @param args words after the program */
export type Starter = (args: readonly ReadWord[], words: readonly ReadWord[]) => Started | undefined
