/** Disks, processes and services: what stands beyond any work folder. */
import { hasOption } from '../../../analysis/shell/index.ts'
import { isOutside } from './file-location.ts'
import { dangerous, type BuiltInRule } from './built-in-rule.ts'
import { isDisk } from './sensitive-paths.ts'

const beyond = 'it changes the machine, not the project'

export const machine: readonly BuiltInRule[] = [
  {
    name: 'making of a file system',
    severity: 'forbidden',
    justification: 'all that is on the disk is lost',
    programs: ['mkfs', 'mkfs.*', 'mke2fs', 'newfs', 'blkdiscard', 'wipefs'],
  },
  {
    name: 'overwriting of a disk',
    severity: 'forbidden',
    justification: 'all that is on the disk is lost',
    programs: ['dd'],
    finds: ({ operands }) =>
      operands.some(({ written }) => written.startsWith('of=') && isDisk(written.slice(3))),
    onlyLiteral: true,
  },
  ...dangerous([
    {
      name: 'raw writing',
      justification: 'dd overwrites without asking',
      programs: ['dd'],
      finds: ({ operands }) =>
        operands.some(
          ({ written }) => written.startsWith('of=') && !/^of=\/dev\/(?:null|stdout)$/u.test(written),
        ),
    },
    {
      name: 'change of partitions',
      justification: 'all that is on the disk may be lost',
      programs: [
        'fdisk',
        'sfdisk',
        'cfdisk',
        'gdisk',
        'sgdisk',
        'parted',
        'mkswap',
        'cryptsetup',
        'diskutil',
      ],
    },
    {
      name: 'permissions outside of the work folder',
      justification: beyond,
      programs: ['chmod', 'chown', 'chgrp', 'setfacl'],
      finds: ({ operands }, place) => operands.slice(1).some((operand) => isOutside(operand, place)),
      onlyLiteral: true,
    },
    {
      name: 'end of the machine',
      justification: beyond,
      programs: ['shutdown', 'reboot', 'halt', 'poweroff', 'telinit', 'init'],
    },
    {
      name: 'end of all processes',
      justification: 'it ends processes that are not yours',
      programs: ['kill'],
      finds: ({ words }) =>
        words.slice(1).some(({ text }, index) => text === '-1' && (index > 0 || words.length === 2)),
      onlyLiteral: true,
    },
    {
      name: 'end of processes by name',
      justification: 'it may end processes that are not yours; end them by their id',
      programs: ['pkill', 'killall', 'killall5', 'skill'],
    },
    {
      name: 'services of the machine',
      justification: beyond,
      programs: ['systemctl', 'service', 'launchctl', 'update-rc.d', 'chkconfig'],
      finds: ({ words }) => !words.slice(1).some(({ text }) => readsServices.test(text ?? '')),
      onlyLiteral: true,
    },
    {
      name: 'commands for later',
      justification: 'what runs later is watched by nobody',
      programs: ['crontab', 'at', 'batch'],
      finds: (command) => !hasOption(command, '-l'),
      onlyLiteral: true,
    },
    {
      name: 'accounts and devices of the machine',
      justification: beyond,
      programs: [
        ...['useradd', 'userdel', 'usermod', 'groupadd', 'groupdel', 'passwd', 'chpasswd', 'visudo'],
        ...['mount', 'umount', 'insmod', 'rmmod', 'modprobe', 'iptables', 'nft', 'ufw', 'sysctl', 'swapoff'],
      ],
      finds: ({ program, words }) => !(program === 'mount' && words.length === 1),
      onlyLiteral: true,
    },
  ]),
]

const readsServices = /^(?:status|show|cat|list|list-.*|is-.*|get-default|--version|--help|--status-all)$/u
