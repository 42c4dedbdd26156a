/** What ends and what is asked, told to other programs: signed, kept on disk until it arrives, under one id each. */
export { readWebhookSecret } from './send.ts'
export { startWebhooks, type WebhookOptions, type Webhooks } from './start-webhooks.ts'
