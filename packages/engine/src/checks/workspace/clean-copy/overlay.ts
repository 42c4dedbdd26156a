/** What lies over the files of the work tree. */
export interface OverlayFile {
  readonly kind: 'file' | 'symlink'
  readonly content: Uint8Array
  /** Permission bits. */
  readonly mode: number
}
