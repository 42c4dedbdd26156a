import type { OptionRow } from '../options/option.ts'

export const aRun = ['<run>', 'its id, or the beginning of it; "last" is the latest'] as const
export const aRunOrLast = ['[run]', aRun[1], 'last'] as const
export const jsonOption: OptionRow = ['--json', 'as JSON']
export const outputOption: OptionRow = ['-o, --output <file>', 'instead of standard output']
