/** An interactive session: one more face of the same engine and the same store. */
export { openChat, type ChatOptions } from './open-chat.ts'
export type { Beginning, ChatHost, Theme, Watcher, Work } from './host.ts'
