import { hasOption } from './command-words.ts'
import { isRoot, isVital } from './file-place.ts'
import type { FloorRule } from './floor-rule.ts'

/** See `isSpared`. */
export const forcedRemoval: FloorRule = {
  name: 'forced removal',
  severity: 'dangerous',
  justification: 'what is removed by force cannot be had back; remove single files, or leave them',
  programs: ['rm', 'srm'],
  finds: (command) => hasOption(command, '-f', '--force'),
}

/** Files that cannot be had back. */
export const removal: readonly FloorRule[] = [
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
  {
    name: 'recursive removal',
    severity: 'dangerous',
    justification: 'it removes the work folder, what is above it, or its history',
    programs: ['rm', 'rimraf', 'srm'],
    finds: (command, place) =>
      (command.program !== 'rm' || hasOption(command, '-r', '-R', '--recursive')) &&
      command.operands.some((operand) => isVital(operand, place)),
  },
  {
    name: 'removal of what is found',
    severity: 'dangerous',
    justification: 'list what is found first, and remove single files',
    programs: ['find', 'gfind', 'fd', 'fdfind'],
    finds: (command) => hasOption(command, '-delete'),
  },
  {
    name: 'mirroring with removal',
    severity: 'dangerous',
    justification: 'it removes what the other side does not have',
    programs: ['rsync', 'rclone'],
    finds: ({ options, program, words }) =>
      options.some((option) => /^--(?:del|delete.*|remove-source-files)$/u.test(option)) ||
      (program === 'rclone' && /^(?:sync|delete|purge)$/u.test(words[1]?.text ?? '')),
    onlyLiteral: true,
  },
  {
    name: 'overwriting of files',
    severity: 'dangerous',
    justification: 'the content cannot be had back',
    programs: ['shred', 'truncate', 'wipe'],
  },
]
