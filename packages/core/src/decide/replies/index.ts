/** Whether a reply is judged, sent back or delivered. */
export { replyFirst, withReplyEnd } from './reply-first.ts'
export { defaultKeywords, defaultNegations } from './trigger.ts'
