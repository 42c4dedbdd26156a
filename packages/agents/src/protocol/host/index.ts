/** What an agent that owns its loop tells about itself, and what it is answered: in words of no agent. */
export type {
  HostAct,
  HostAnswer,
  HostCall,
  HostEdit,
  HostEvent,
  HostResult,
  HostStop,
  ToolActs,
} from './host-event.ts'
export { callOfTool } from './host-event.ts'
export { fieldOf, listField, reportedUsage, textField, textOfContent } from './fields.ts'
