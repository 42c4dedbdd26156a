import { connect } from 'node:net'

export type Listening =
  | { readonly kind: 'listening'; readonly address: string }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'unknown'; readonly problem: string }

/** Nothing was asked of whoever takes the connection; it is closed at once. */
export async function isListening(port: number, signal: AbortSignal): Promise<Listening> {
  const answers = await Promise.all(['127.0.0.1', '::1'].map((address) => tryAddress(address, port, signal)))
  const listening = answers.find(({ kind }) => kind === 'listening')
  return listening ?? answers.find(({ kind }) => kind === 'unknown') ?? { kind: 'nobody' }
}

/** Nobody can listen on an address that this machine does not have. */
const nobodyCodes = ['ECONNREFUSED', 'EADDRNOTAVAIL', 'EAFNOSUPPORT', 'ENETUNREACH']

function tryAddress(address: string, port: number, signal: AbortSignal): Promise<Listening> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, signal })
    socket.once('connect', () => {
      resolve({ kind: 'listening', address })
      socket.destroy()
    })
    socket.on('error', (error) => {
      const code = 'code' in error ? String(error.code) : ''
      resolve(nobodyCodes.includes(code) ? { kind: 'nobody' } : { kind: 'unknown', problem: error.message })
    })
  })
}
