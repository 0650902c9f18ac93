/** The part of `smpp` that we use; the package brings no types. */
declare module 'smpp' {
  import type { EventEmitter } from 'node:events'
  import type { Server } from 'node:net'

  type Fields = Record<string, unknown>
  interface ShortMessage {
    message: string | Buffer
    /** Information elements: each its id, its length and its octets. */
    udh?: readonly Buffer[]
  }
  interface Pdu {
    command: string
    command_status: number
    sequence_number: number
    message_id?: string
    source_addr?: string
    destination_addr?: string
    esm_class?: number
    data_coding?: number
    short_message?: ShortMessage
    message_payload?: ShortMessage
    receipted_message_id?: string
    message_state?: number
    sar_msg_ref_num?: number
    sar_total_segments?: number
    sar_segment_seqnum?: number
    /** Sent as the protocol writes it, read as a moment. */
    validity_period?: Date
    registered_delivery?: number
    source_addr_ton?: number
    source_addr_npi?: number
    system_id?: string
    password?: string
    response(fields?: Fields): Pdu
  }
  interface Session extends EventEmitter {
    /** False when the socket takes nothing any more. */
    send(pdu: Pdu): boolean
    submit_sm(fields: Fields, onResponse: (pdu: Pdu) => void): boolean
    deliver_sm(fields: Fields, onResponse?: (pdu: Pdu) => void): boolean
    bind_transceiver(fields: Fields, onResponse: (pdu: Pdu) => void): boolean
    enquire_link(fields: Fields, onResponse: (pdu: Pdu) => void): boolean
    unbind(fields: Fields, onResponse?: (pdu: Pdu) => void): boolean
    close(onClose?: () => void): void
    destroy(): void
  }
  interface Smpp {
    connect(options: Fields): Session
    createServer(options: Fields, onSession: (session: Session) => void): Server
  }
  const smpp: Smpp
  // biome-ignore lint/style/noDefaultExport: that is how the package exports
  export default smpp
  export type { Pdu, Session, ShortMessage }
}
