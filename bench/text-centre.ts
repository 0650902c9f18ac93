import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import smpp, { type Pdu, type Session } from 'smpp'

/** A short message centre: takes everything, and brings every receipt twice, late and in no order. */
export async function startCentre() {
  const copies = new Map<string, number>()
  const sessions = new Set<Session>()
  /** Receipts still owed; those of a line that is cut wait for the next. */
  const owed: { message: string; due: number }[] = []
  let taken = 0
  let confirmed = 0
  let takenAt = performance.now()
  let longestPauseMs = 0
  const server = smpp.createServer({}, (session) => {
    session.on('error', () => undefined)
    session.on('close', () => sessions.delete(session))
    session.on('bind_transceiver', (pdu: Pdu) => {
      sessions.add(session)
      session.send(pdu.response())
    })
    session.on('enquire_link', (pdu: Pdu) => session.send(pdu.response()))
    session.on('unbind', (pdu: Pdu) => session.send(pdu.response()))
    session.on('submit_sm', (pdu: Pdu) => {
      const to = pdu.destination_addr as string
      const id = `b${++taken}`
      longestPauseMs = Math.max(longestPauseMs, performance.now() - takenAt)
      takenAt = performance.now()
      copies.set(to, (copies.get(to) ?? 0) + 1)
      session.send(pdu.response({ message_id: id }))
      const stat = isLost(to) ? 'UNDELIV' : 'DELIVRD'
      for (const _ of ['once', 'again'])
        owed.push({ message: `id:${id} stat:${stat} err:000`, due: performance.now() + Math.random() * 2000 })
    })
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  await listen(0)
  const { port } = server.address() as AddressInfo
  const bringing = setInterval(() => {
    const [session] = sessions
    if (!session) return
    const now = performance.now()
    for (let i = owed.length - 1; i >= 0; i--) {
      const receipt = owed[i]
      if (!receipt || receipt.due > now) continue
      owed.splice(i, 1)
      const again = () => owed.push({ ...receipt, due: performance.now() + 500 })
      const isGone = setTimeout(again, 5_000)
      session.deliver_sm({ esm_class: 4, short_message: { message: receipt.message } }, () => {
        clearTimeout(isGone)
        confirmed++
      })
    }
  }, 20)
  const cut = () => {
    for (const session of sessions) session.destroy()
  }
  return {
    url: `smpp://evac:secret@127.0.0.1:${port}`,
    copies,
    taken: () => taken,
    /** The longest time since the last question in which nothing was taken. */
    takeLongestPause() {
      const seconds = longestPauseMs / 1000
      longestPauseMs = 0
      return seconds
    },
    receipts: () => ({ confirmed, owed: owed.length }),
    /** Down for so long, with every line cut. */
    async fail(ms: number) {
      server.close()
      cut()
      await once(server, 'close')
      await new Promise((resolve) => setTimeout(resolve, ms))
      await listen(port)
    },
    async stop() {
      clearInterval(bringing)
      server.close()
      cut()
      await once(server, 'close')
    },
  }
}

/** Every hundredth phone is never reached. */
export const isLost = (mobile: string) => mobile.endsWith('00')
