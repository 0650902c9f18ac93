import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import smpp, { type Pdu, type Session } from 'smpp'
import type { SmppSettings } from '#server/platform/config/gateway-settings.ts'
import { startTestServer, testConfig } from '#server/testing/test-server.ts'
import { sendTexts } from '#server/testing/texts.ts'
import { openGateways } from './gateways.ts'

/** What the centre answers to a text: taken unless told otherwise. */
type Answer = number | 'silent' | 'cut' | undefined

export interface Taken {
  id: string
  to: string
  text: string
  coding: number
  pdu: Pdu
}

/** A text as a gateway is handed it. */
export const textOf = (body: string) => ({
  reference: 'a/b',
  to: '61491570156',
  body,
  validUntil: new Date(Date.now() + 900_000),
})

const settingsOn = (port: number): SmppSettings => ({
  host: '127.0.0.1',
  port,
  tls: false,
  systemId: 'evac',
  password: 'secret',
  systemType: '',
  from: '+61491570006',
  window: 10,
  times: { firstReconnect: 20, longestReconnect: 50 },
})

const receiptOf = (id: string, stat: string, err: string) => ({
  esm_class: 4,
  source_addr: '61491570156',
  destination_addr: '61491570006',
  data_coding: 0,
  short_message: {
    message: `id:${id} sub:001 dlvrd:001 submit date:2601311200 done date:2601311201 stat:${stat} err:${err} text:Evacuate`,
  },
})

/** A short message centre on a real socket. */
export async function startCentre(
  answer: (nth: number) => Answer = () => undefined,
  { idOf = () => undefined, ...options }: { idOf?: (nth: number) => string | undefined } & Record<string, unknown> = {},
) {
  const taken: Taken[] = []
  const sessions = new Set<Session>()
  const binds: Pdu[] = []
  let asked = 0
  let unanswered = 0
  let busiest = 0
  const state = { password: 'secret', answersEnquiries: true, answerMs: 2 }
  const server = smpp.createServer(options, (session) => {
    session.on('error', () => undefined)
    session.on('close', () => sessions.delete(session))
    session.on('bind_transceiver', (pdu: Pdu) => {
      binds.push(pdu)
      if (pdu.password !== state.password) return session.send(pdu.response({ command_status: 0x0e }))
      sessions.add(session)
      session.send(pdu.response())
    })
    session.on('enquire_link', (pdu: Pdu) => state.answersEnquiries && session.send(pdu.response()))
    session.on('unbind', (pdu: Pdu) => session.send(pdu.response()))
    session.on('submit_sm', (pdu: Pdu) => {
      busiest = Math.max(busiest, ++unanswered)
      setTimeout(() => {
        unanswered--
        const told = answer(++asked)
        if (told === 'silent') return
        if (told === 'cut') return session.destroy()
        if (told) return session.send(pdu.response({ command_status: told }))
        const id = idOf(taken.length + 1) ?? `m${taken.length + 1}`
        const { destination_addr: to = '', data_coding: coding = 0 } = pdu
        taken.push({ id, to, text: String(pdu.short_message?.message), coding, pdu })
        session.send(pdu.response({ message_id: id }))
      }, state.answerMs)
    })
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  /** Brings something to the client that is bound; answers the status it was confirmed with. */
  const deliver = (fields: Record<string, unknown>) =>
    new Promise<number>((resolve) => {
      const [session] = sessions
      session?.deliver_sm(fields, ({ command_status }) => resolve(command_status))
    })
  return {
    settings: settingsOn(port),
    state,
    taken,
    binds,
    deliver,
    asked: () => asked,
    busiest: () => busiest,
    bound: () => sessions.size,
    receipt: (id: string, stat: string, err = '000') => deliver(receiptOf(id, stat, err)),
    kill: () => {
      for (const session of sessions) session.destroy()
    },
    async stop() {
      for (const session of sessions) session.destroy()
      server.close()
      await once(server, 'close')
    },
    restart: () => listen(port),
    async [Symbol.asyncDispose]() {
      if (server.listening) await this.stop()
    },
  }
}
export type Centre = Awaited<ReturnType<typeof startCentre>>

/** The app, and its connection to the centre. */
export async function startServerOn(centre: Centre, over: Partial<SmppSettings> = {}) {
  const settings = { ...centre.settings, ...over, times: { ...centre.settings.times, ...over.times } }
  const config = { ...testConfig, smsGateways: ['smpp'] as const, smpp: settings }
  const server = await startTestServer({ config })
  const troubles: unknown[] = []
  const onTrouble = (error: unknown) => troubles.push(error)
  const gateway = openGateways(server.app, config, { onTrouble })
  return Object.assign(
    { ...server },
    {
      troubles,
      gateway,
      send: () => sendTexts(server, { gateway, onTrouble }),
      async [Symbol.asyncDispose]() {
        await gateway.close()
        await server[Symbol.asyncDispose]()
      },
    },
  )
}
