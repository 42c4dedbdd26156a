import { createTwoFilesPatch } from 'diff'

/** One file of another program, as it is and as it is to be. */
export interface FileChange {
  readonly file: string
  readonly before: string | undefined
  /** Undefined: it goes. */
  readonly after: string | undefined
}

export function isChange({ before, after }: FileChange): boolean {
  return before !== after
}

/** For people, as git shows it; nothing for a file that stays as it is. */
export function diffOf(change: FileChange): string {
  if (!isChange(change)) return ''
  const { file, before, after } = change
  const [from, to] = [before === undefined ? '/dev/null' : file, after === undefined ? '/dev/null' : file]
  return createTwoFilesPatch(from, to, before ?? '', after ?? '', '', '', { context: 3 }).replace(
    /^(?:Index: .*\n)?=+\n/,
    '',
  )
}

/** In a word each: what is new, what goes, what changes. */
export function changeLine({ file, before, after }: FileChange): string {
  return `  ${before === undefined ? 'new' : after === undefined ? 'gone' : 'changed'}  ${file}`
}
