/** The judge of replies is asked, and a reply is handed on. */
export { judgeReply } from './judge-reply.ts'
export { findBrokenOffDelivery, settleReply } from './settle-reply.ts'
