import { UsageError } from '../../../../base/index.ts'

/** Which differences between texts do not count. */
export interface TextForm {
  /** Default true: upper and lower case are different. */
  readonly caseSensitive?: boolean
  /**
   * Default `exact`. `trimmed`: white space at both ends does not count. `collapsed`: every run of white space is
   * like one space too, and composed and decomposed characters are equal.
   */
  readonly whitespace?: 'exact' | 'trimmed' | 'collapsed'
}

const kinds: readonly unknown[] = ['exact', 'trimmed', 'collapsed']

/** @throws {UsageError} for a word that is none of the three */
export function formOf({ caseSensitive = true, whitespace = 'exact' }: TextForm): Required<TextForm> {
  if (kinds.includes(whitespace)) return { caseSensitive, whitespace }
  throw new UsageError(`whitespace is "${whitespace}"; give "exact", "trimmed" or "collapsed"`)
}

/** Two texts are equal under a form where their formed texts are equal. */
export function applyForm(text: string, { caseSensitive, whitespace }: Required<TextForm>): string {
  const spaced = spacedAs(text, whitespace)
  return caseSensitive ? spaced : spaced.toLowerCase()
}

function spacedAs(text: string, whitespace: Required<TextForm>['whitespace']): string {
  switch (whitespace) {
    case 'exact':
      return text
    case 'trimmed':
      return text.trim()
    case 'collapsed':
      return text.trim().replace(/\s+/g, ' ').normalize('NFC')
  }
}
