import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { coordinatorOptions, workerOptions } from '../../lines/fleet.ts'
import { secretVariables } from '../../wiring/fleet.ts'

const folder = join(import.meta.dirname, '../../../../../../deploy')

const port = z.object({ name: z.string(), containerPort: z.number() })
const probe = z.object({ httpGet: z.object({ path: z.string(), port: z.string() }) })
const container = z.object({
  args: z.array(z.string()),
  env: z.array(z.object({ name: z.string() })).default([]),
  ports: z.array(port),
  livenessProbe: probe.optional(),
  readinessProbe: probe,
  resources: z.object({
    requests: z.record(z.string(), z.unknown()),
    limits: z.record(z.string(), z.unknown()),
  }),
})
const workload = z.object({
  kind: z.enum(['Deployment', 'StatefulSet']),
  metadata: z.object({ name: z.string() }),
  spec: z.object({
    template: z.object({
      metadata: z.object({ labels: z.record(z.string(), z.string()) }),
      spec: z.object({ terminationGracePeriodSeconds: z.number(), containers: z.array(container).length(1) }),
    }),
  }),
})
const compose = z.object({
  services: z.record(
    z.string(),
    z.looseObject({
      command: z.array(z.string()).optional(),
      environment: z.record(z.string(), z.string()).optional(),
    }),
  ),
})

const documents = readdirSync(join(folder, 'kubernetes')).flatMap((name) =>
  parseAllDocuments(readFileSync(join(folder, 'kubernetes', name), 'utf8')).map((one) =>
    z.unknown().parse(one.toJS()),
  ),
)
const workloads = documents.flatMap((one) => {
  const parsed = workload.safeParse(one)
  return parsed.success ? [parsed.data] : []
})

function flagsOf(options: typeof workerOptions): readonly string[] {
  return options.map(([typed]) => /--[\w-]+/.exec(typed)?.[0] ?? '')
}

function unknownFlags(args: readonly string[]): readonly string[] {
  const known = args[1] === 'worker' ? flagsOf(workerOptions) : flagsOf(coordinatorOptions)
  return args.filter((arg) => arg.startsWith('--')).filter((arg) => !known.includes(arg.split('=')[0] ?? ''))
}

function valueOf(args: readonly string[], flag: string): string {
  return args.find((arg) => arg.startsWith(`${flag}=`))?.slice(flag.length + 1) ?? ''
}

describe('given the manifests of Kubernetes', () => {
  it('then Restate, coordinator and worker are there, with a disruption budget each', () => {
    const names = workloads.map(({ metadata }) => metadata.name)
    expect(names.toSorted()).toEqual(['donecheck-coordinator', 'donecheck-worker', 'restate'])
    const budgets = documents.filter(
      (one) => z.object({ kind: z.literal('PodDisruptionBudget') }).safeParse(one).success,
    )
    expect(budgets).toHaveLength(names.length)
  })

  it.each(workloads.filter(({ metadata }) => metadata.name !== 'restate'))(
    'then $metadata.name is started with flags that there are, and listens where it is called and probed',
    ({ metadata, spec: { template } }) => {
      const [{ args, env, ports, livenessProbe, readinessProbe } = container.parse({})] =
        template.spec.containers
      expect(unknownFlags(args)).toEqual([])
      const numbers = new Map(ports.map(({ name, containerPort }) => [name, String(containerPort)]))
      expect(valueOf(args, '--listen').split(':')[1]).toBe(numbers.get('endpoint'))
      expect(new URL(valueOf(args, '--public-url').replace('$(POD_NAME)', 'pod')).port).toBe(
        numbers.get('endpoint'),
      )
      expect(valueOf(args, '--health').split(':')[1]).toBe(numbers.get('health'))
      expect([livenessProbe?.httpGet, readinessProbe.httpGet]).toEqual([
        { path: '/live', port: 'health' },
        { path: '/ready', port: 'health' },
      ])
      const names = env.map(({ name }) => name).filter((name) => name.startsWith('DONECHECK_'))
      const secrets: readonly string[] = secretVariables
      expect(names.filter((name) => !secrets.includes(name))).toEqual([])
      // An agent turn takes at most 1800 seconds by default.
      if (metadata.name === 'donecheck-worker')
        expect(template.spec.terminationGracePeriodSeconds).toBeGreaterThan(1800)
    },
  )
})

describe('given the Compose file', () => {
  const { services } = compose.parse(parse(readFileSync(join(folder, 'compose.yaml'), 'utf8')))

  it.each(['coordinator', 'worker'])('then its %s is started with flags that there are', (name) => {
    const { command = [] } = services[name] ?? {}
    expect(command.length).toBeGreaterThan(2)
    expect(unknownFlags(command)).toEqual([])
    expect(valueOf(command, '--fleet')).toBe('http://restate:8080')
  })
})
