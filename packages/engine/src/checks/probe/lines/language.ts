import { lexisOf, type Lexis } from '../../../analysis/source/index.ts'

/** What the statements of a language look like that is read by its tokens. */
interface StatementStyle {
  readonly condition: 'parentheses' | 'before-brace' | 'python'
  /** What ends a statement that is a call; undefined: such a call is left alone. */
  readonly callEnd: ';' | '' | undefined
  readonly emptyStatement: string
  /** What an untyped function returns instead; undefined: types stand in the way. */
  readonly nothing: string | undefined
  /** `*` may make a pointer. */
  readonly hasPointers: boolean
}

export interface LineLanguage extends StatementStyle {
  readonly lexis: Lexis
}

const braces: StatementStyle = {
  condition: 'parentheses',
  callEnd: ';',
  emptyStatement: ';',
  nothing: undefined,
  hasPointers: false,
}
const python: StatementStyle = {
  condition: 'python',
  callEnd: '',
  emptyStatement: 'pass',
  nothing: 'None',
  hasPointers: false,
}
const rust: StatementStyle = { ...braces, condition: 'before-brace' }
const go: StatementStyle = { ...rust, callEnd: undefined }
const c: StatementStyle = { ...braces, hasPointers: true }
const kotlin: StatementStyle = { ...braces, callEnd: undefined }

/** By the ending of the file's name; others are written like Java. */
const styles: ReadonlyMap<string, StatementStyle> = new Map([
  ['py', python],
  ['rs', rust],
  ...['go', 'swift'].map((extension) => [extension, go] as const),
  ...['kt', 'kts', 'scala', 'groovy'].map((extension) => [extension, kotlin] as const),
  ...['c', 'h', 'cc', 'cpp', 'cxx', 'hpp', 'hh', 'm'].map((extension) => [extension, c] as const),
])

/** Undefined: none that is read by its tokens. */
export function lineLanguageOf(path: string): LineLanguage | undefined {
  const lexis = lexisOf(path)
  return lexis && { lexis, ...(styles.get(path.slice(path.lastIndexOf('.') + 1)) ?? braces) }
}
