/** What a file says of other files. */

export interface Reference {
  /**
   * `import`: a module, by the rules of the language. `path`: a text that may be the path of a file or folder. `name`: only
   * the last part of a path is known.
   */
  readonly kind: 'import' | 'path' | 'name'
  readonly written: string
  /** Only a test build follows it (`#[cfg(test)] mod x;`). */
  readonly isForTests?: boolean
}

/** Of a text, in UTF-16 units: no file that people write says what it imports behind this. */
export const maxReadLength = 262_144
