import type { HostCall } from '../agents/index.ts'
import type { OwnTool } from '../ports.ts'
import type { ActPlace, PrepareAct } from './act.ts'
import { effectOf } from './recorded-call.ts'

/** A call of the host as a tool that is asked about before it runs, and run by the host. */
export function ownTool(call: HostCall, prepare: PrepareAct, place: ActPlace): OwnTool {
  return {
    name: call.tool,
    description: '',
    parameters: {},
    effect: effectOf(call.act),
    isAsked: true,
    prepare: () => prepare(call, place),
  }
}
