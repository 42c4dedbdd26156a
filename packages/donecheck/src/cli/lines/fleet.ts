import {
  type CommandLine,
  type OptionRow,
  collect,
  positiveWhole,
  aRun,
  jsonOption,
} from '../options/option.ts'

const fleetOption: OptionRow = ['--fleet <url>', 'its Restate (default: DONECHECK_FLEET); ?admin=URL']

const endpointOptions: readonly OptionRow[] = [
  ['--listen <host:port>', 'where Restate calls it (default: 127.0.0.1, a free port)'],
  ['--public-url <url>', 'under which Restate reaches it (default: the address that it listens at)'],
  ['--health <host:port>', 'answers /live and /ready there, for probes (default: nowhere)'],
  ['--identity-key <key>', 'the public key of the Restate that alone may call it (repeatable)', collect],
  ['--version-label <text>', 'runs end on the version that they began with (default: that of donecheck)'],
]

const folderOption: OptionRow = ['--folder <folder>', 'repositories and runs; the same path on every worker']

const limitsOption: OptionRow = [
  '--limits <file>',
  'limits of tenants and providers, as JSON (default: as before)',
]

export const workerOptions: readonly OptionRow[] = [
  fleetOption,
  ['--store <url>', 'postgres://…, without a password: one that has it belongs into DONECHECK_STORE'],
  ['--labels <names>', 'what runs may ask of it, with commas between, such as linux,gpu'],
  ['--slots <count>', 'runs at a time (default: 1)', positiveWhole],
  ['--id <name>', 'of the worker, different from all others (default: of the machine and the process)'],
  folderOption,
  ...endpointOptions,
]

export const coordinatorOptions: readonly OptionRow[] = [
  fleetOption,
  ['--store <url>', 'where it sees answers: postgres://…; better in DONECHECK_STORE'],
  limitsOption,
  ...endpointOptions,
]

export const submitOptions: readonly OptionRow[] = [
  ['--fleet <url>', 'let a fleet do it: prints the id of the run, and waits for nothing'],
  ['--repository <url>', 'of a fleet: what the workers clone (default: origin of the work folder)'],
  ['--revision <name>', 'of a fleet: branch, tag or full commit id (default: HEAD)'],
]

export const serviceFleetOptions: readonly OptionRow[] = [
  ['--fleet <url>', 'runs that are started here are given to a fleet; needs its database as --store'],
  ...submitOptions.slice(1),
]

export const fleetLine: CommandLine = {
  name: 'fleet',
  description: 'many machines for runs: start one, work in it, look at it',
  examples: ['donecheck fleet up', 'donecheck fleet status', 'donecheck fleet patch 01M7Z | git apply'],
  commands: [
    {
      name: 'up',
      description: 'start a fleet on this machine, for trying; Ctrl-C ends it',
      options: [
        ['--folder <folder>', 'where its data is kept (default: in the state folder of the user)'],
        limitsOption,
      ],
      examples: ['donecheck fleet up', 'donecheck fleet up --folder /srv/fleet'],
      load: async () => (await import('../commands/fleet/up.ts')).fleetUpCommand,
    },
    {
      name: 'worker',
      description: 'take runs of a fleet, each in its own folder; SIGTERM drains it',
      options: workerOptions,
      examples: [
        'donecheck fleet worker --labels linux --slots 4',
        'donecheck fleet worker --fleet http://restate:8080 --listen 0.0.0.0:9080 --public-url http://worker-1:9080',
      ],
      load: async () => (await import('../commands/fleet/submit.ts')).workerCommand,
    },
    {
      name: 'coordinator',
      description: 'the process that decides which worker takes which run; several may run at once',
      options: coordinatorOptions,
      examples: [
        'donecheck fleet coordinator --fleet http://restate:8080 --listen 0.0.0.0:9081 --public-url http://coordinator:9081',
      ],
      load: async () => (await import('../commands/fleet/up.ts')).fleetCoordinatorCommand,
    },
    {
      name: 'status',
      description: 'show the workers, what runs and what waits; or where one run is',
      arguments: [['[run]', 'its whole id, as "run --fleet" printed it']],
      options: [fleetOption, jsonOption],
      examples: [
        'donecheck fleet status',
        'donecheck fleet status 01M7Z0000000000000000000',
        'donecheck fleet status --json',
      ],
      load: async () => (await import('../commands/fleet/status.ts')).fleetStatusCommand,
    },
    {
      name: 'patch',
      description: 'print what a run has changed so far, for "git apply"',
      arguments: [aRun],
      options: (flags) => flags('store'),
      examples: ['donecheck fleet patch last > work.patch', 'donecheck fleet patch 01M7Z | git apply'],
      load: async () => (await import('../commands/fleet/status.ts')).fleetPatchCommand,
    },
  ],
}
