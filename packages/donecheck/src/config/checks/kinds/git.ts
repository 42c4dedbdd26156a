import { checkKind, count, given, loadVerifiers, text, texts, UsageError, z } from './check-kind.ts'

export const git = checkKind({
  name: 'git',
  what: 'what is changed or uncommitted',
  options: {
    clean: z.literal(true).exactOptional().describe('nothing is uncommitted'),
    only: texts.exactOptional().describe('globs: nothing else is changed'),
    forbid: texts.exactOptional().describe('globs: these are not'),
    maxFiles: count.exactOptional().describe('changed files'),
    maxAddedLines: count.exactOptional().describe('of all files together'),
    maxRemovedLines: count.exactOptional().describe('of all files together'),
    against: text.exactOptional().describe('a revision (HEAD)'),
  },
  line: (typed) => (typed === 'clean' ? { clean: true } : 'git:clean'),
  async verifiers(spec, options) {
    const { clean = false, only, forbid, maxFiles, maxAddedLines, maxRemovedLines, against } = spec
    const limits = given({ only, forbid, maxFiles, maxAddedLines, maxRemovedLines })
    const isLimited = Object.keys(limits).length > 0
    if (against !== undefined && !isLimited)
      throw new UsageError(`git is compared with ${against}, and nothing is asked of it; give only or forbid`)
    const { gitClean, gitDiff } = await loadVerifiers()
    return [
      ...(clean ? [gitClean(options)] : []),
      ...(isLimited ? [gitDiff({ ...options, ...limits, ...given({ against }) })] : []),
    ]
  },
})
