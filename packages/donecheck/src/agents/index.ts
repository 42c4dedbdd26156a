/** What all external agents have in common: the words in which their adapters speak to the rest. */
export type {
  HostAct,
  HostAnswer,
  HostCall,
  HostEdit,
  HostEvent,
  HostResult,
  HostStop,
} from './host-event.ts'
export type {
  HookProtocol,
  HookRegistration,
  HookReply,
  HostReading,
  SamplePlace,
} from './hook-protocol.ts'
