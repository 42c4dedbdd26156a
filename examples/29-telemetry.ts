/** What runs tell OpenTelemetry: an SDK of the program's own, and an observer of the store. */
import { command, createAgentLoop, memoryStore } from 'donecheck'
import { observedStore } from '@donecheck/engine/store'
import { telemetryObserver } from '@donecheck/engine/telemetry'
import { NodeSDK } from '@opentelemetry/sdk-node'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { check, hastyAgent, task } from './hasty-agent.ts'

// In a real program: an exporter, or nothing, and the OTEL_… variables decide.
const names: string[] = []
const collector = {
  onStart: () => undefined,
  onEnd: ({ name }: { readonly name: string }) => void names.push(name),
  forceFlush: async () => undefined,
  shutdown: async () => undefined,
}
new NodeSDK({ spanProcessors: [collector], metricReaders: [], logRecordProcessors: [] }).start()

const folder = mkdtempSync(path.join(tmpdir(), 'donecheck-example-'))
const agent = hastyAgent(folder)
const hardVerifiers = [command(check)]

const observer = telemetryObserver()
const store = observedStore(memoryStore(), observer)
const run = await createAgentLoop({ agent, workFolder: folder, hardVerifiers, store }).run(task)
observer.close()

rmSync(folder, { recursive: true })
console.log(`${run.transition.reason}: ${new Set(names).size} kinds of spans, the last is ${names.at(-1)}`)

// prints: task_complete: 5 kinds of spans, the last is invoke_agent donecheck
