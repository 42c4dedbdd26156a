/** What was typed after `donecheck patch`. */
export type PatchTask = 'check' | 'apply' | 'reverse'

export interface PatchFlags {
  readonly root?: string
  readonly mode?: 'strict' | 'codex-compatible'
  readonly format?: 'v4a' | 'unified' | 'auto'
  readonly dryRun?: boolean
  readonly receipt?: string
  readonly outputFormat?: 'text' | 'json'
}
