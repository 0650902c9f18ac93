import { setTimeout as delay } from 'node:timers/promises'
import { SmppServer } from '../../rig/smpp-server.ts'

/** An SMSC simulator that accepts every text and sends every receipt twice, late and in random order. */
export async function startSmsc() {
  const copies = new Map<string, number>()
  /** Receipts not sent yet. While no session is bound they wait. */
  const owed: { message: string; due: number }[] = []
  let taken = 0
  let confirmed = 0
  let takenAt = performance.now()
  let longestPauseMs = 0
  const lines = new SmppServer((pdu, session) => {
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
  const port = await lines.listen()
  const bringing = setInterval(() => {
    if (!lines.isBound) return
    const now = performance.now()
    for (let i = owed.length - 1; i >= 0; i--) {
      const receipt = owed[i]
      if (!receipt || receipt.due > now) continue
      owed.splice(i, 1)
      const again = () => owed.push({ ...receipt, due: performance.now() + 500 })
      const isGone = setTimeout(again, 5_000)
      lines.report(receipt.message, () => {
        clearTimeout(isGone)
        confirmed++
      })
    }
  }, 20)
  return {
    url: `smpp://evac:secret@127.0.0.1:${port}`,
    copies,
    taken: () => taken,
    /** The longest time in seconds without a text since the last call. */
    takeLongestPause() {
      const seconds = longestPauseMs / 1000
      longestPauseMs = 0
      return seconds
    },
    receipts: () => ({ confirmed, owed: owed.length }),
    /** Closes every session and is down for `ms`. */
    async fail(ms: number) {
      await lines.close()
      await delay(ms)
      await lines.listen(port)
    },
    async stop() {
      clearInterval(bringing)
      await lines.close()
    },
  }
}

/** Every hundredth phone cannot be reached. */
export const isLost = (mobile: string) => mobile.endsWith('00')
