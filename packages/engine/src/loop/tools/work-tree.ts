/** What a tool that changes files has to know. */
export interface WorkTree {
  readonly workFolder: string
  /** Where changes under way are noted, outside of the work folder. */
  readonly journalFolder: string
}
