import { hasOption } from '../../../analysis/shell/index.ts'
import { isRoot, isVital } from './file-location.ts'
import { dangerous, type BuiltInRule } from './built-in-rule.ts'

/** See `isSpared`. */
export const forcedRemoval: BuiltInRule = {
  name: 'forced removal',
  severity: 'dangerous',
  justification: 'what is removed by force cannot be had back; remove single files, or leave them',
  programs: ['rm', 'srm'],
  finds: (command) => hasOption(command, '-f', '--force'),
}

/** Files that cannot be had back. */
export const removal: readonly BuiltInRule[] = [
  {
    name: 'removal of everything',
    severity: 'forbidden',
    justification: 'it removes the system or the home folder',
    programs: ['rm', 'rimraf', 'srm'],
    finds: (command, place) =>
      hasOption(command, '--no-preserve-root') ||
      ((command.program !== 'rm' || hasOption(command, '-r', '-R', '--recursive')) &&
        command.operands.some((operand) => isRoot(operand, place))),
    onlyLiteral: true,
  },
  forcedRemoval,
  ...dangerous([
    {
      name: 'recursive removal',
      justification: 'it removes the work folder, what is above it, or its history',
      programs: ['rm', 'rimraf', 'srm'],
      finds: (command, place) =>
        (command.program !== 'rm' || hasOption(command, '-r', '-R', '--recursive')) &&
        command.operands.some((operand) => isVital(operand, place)),
    },
    {
      name: 'removal of what is found',
      justification: 'list what is found first, and remove single files',
      programs: ['find', 'gfind', 'fd', 'fdfind'],
      finds: (command) => hasOption(command, '-delete'),
    },
    {
      name: 'mirroring with removal',
      justification: 'it removes what the other side does not have',
      programs: ['rsync', 'rclone'],
      finds: ({ options, program, words }) =>
        options.some((option) => /^--(?:del|delete.*|remove-source-files)$/u.test(option)) ||
        (program === 'rclone' && /^(?:sync|delete|purge)$/u.test(words[1]?.text ?? '')),
      onlyLiteral: true,
    },
    {
      name: 'overwriting of files',
      justification: 'the content cannot be had back',
      programs: ['shred', 'truncate', 'wipe'],
    },
  ]),
]
