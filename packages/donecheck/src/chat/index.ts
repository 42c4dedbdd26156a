export { openChat, type ChatOptions } from './open-chat.ts'
export type { Beginning, ChatHost, Theme, Watcher, Work } from './host.ts'
