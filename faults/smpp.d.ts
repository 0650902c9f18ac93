/** The part of `smpp` that a short message centre needs; the package brings no types. */
declare module 'smpp' {
  import type { EventEmitter } from 'node:events'
  import type { Server } from 'node:net'

  interface Pdu {
    destination_addr?: string
    short_message?: { message: string | Buffer }
    response(fields?: Record<string, unknown>): Pdu
  }
  interface Session extends EventEmitter {
    send(pdu: Pdu): boolean
    deliver_sm(fields: Record<string, unknown>, onResponse?: (pdu: Pdu) => void): boolean
    destroy(): void
  }
  const smpp: { createServer(onSession: (session: Session) => void): Server }
  // biome-ignore lint/style/noDefaultExport: that is how the package exports
  export default smpp
  export type { Pdu, Session }
}
