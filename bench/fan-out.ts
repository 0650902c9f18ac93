import { once } from 'node:events'
import { setPersonStatus } from '@evac/contract/evacuation.ts'
import { getChannelToken } from '@evac/contract/realtime.ts'
import WebSocket from 'ws'
import { callerOf } from './product.ts'
import { percentile, type Row } from './report.ts'
import type { World } from './seed.ts'

const changes = Number(process.env.BENCH_CHANGES ?? 40)

/** (b) One change to every connected warden: from sending the request until each socket has it. */
export async function benchFanOut(url: string, bareUrl: string, world: World, wardens: number): Promise<Row[]> {
  const sockets = await Promise.all(world.tokens.slice(0, wardens).map((token) => follow(url, token, world.eventUid)))
  const bareSockets = await Promise.all(sockets.map(() => open(`${bareUrl.replace('http', 'ws')}/live`)))
  const warden = callerOf(url, world.tokens[0] as string)
  const person = world.people[0] as World['people'][number]
  let n = 0
  const product = () =>
    warden(setPersonStatus, {
      body: {
        personId: person.personUid as never,
        floorId: person.floorUid as never,
        status: n++ % 2 ? 'unknown' : 'safe on floor',
      },
    })
  const bare = () =>
    fetch(`${bareUrl}/publish`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"status":"ok"}',
    })

  const ours: number[] = []
  const theirs: number[] = []
  for (let change = 0; change < changes; change++) {
    ours.push(...(await timeAll(sockets, product)))
    theirs.push(...(await timeAll(bareSockets, bare)))
  }
  for (const socket of [...sockets, ...bareSockets]) socket.close()
  const row = (p: number, aim?: string): Row => {
    const [value, other] = [percentile(ours, p), percentile(theirs, p)]
    return {
      name: `live push to ${wardens} wardens, p${p} ms`,
      value,
      bare: other,
      ratio: value / other,
      ...(aim && { aim }),
    }
  }
  return [row(50), row(99, 'p99 < 250 ms')]
}

async function open(address: string): Promise<WebSocket> {
  const socket = new WebSocket(address, { perMessageDeflate: false })
  await once(socket, 'open')
  return socket
}

/** The client protocol by hand, so that both sides are measured with the same light client. */
async function follow(url: string, token: string, eventUid: string): Promise<WebSocket> {
  const { token: jwt, url: address } = await callerOf(url, token)(getChannelToken, {})
  const socket = await open(address)
  socket.send(JSON.stringify({ id: 1, connect: { token: jwt } }))
  await once(socket, 'message')
  socket.send(JSON.stringify({ id: 2, subscribe: { channel: `event:${eventUid}` } }))
  await once(socket, 'message')
  socket.on('message', (data) => {
    if (data.toString() === '{}') socket.send('{}')
  })
  return socket
}

async function timeAll(sockets: readonly WebSocket[], change: () => Promise<unknown>): Promise<number[]> {
  const times: number[] = []
  const start = performance.now()
  const all = sockets.map(
    (socket) =>
      new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => reject(new Error('a publication did not arrive within 10 s')), 10_000)
        const listen = (data: WebSocket.RawData) => {
          if (data.toString() === '{}') return
          times.push(performance.now() - start)
          clearTimeout(late)
          socket.off('message', listen)
          resolve()
        }
        socket.on('message', listen)
      }),
  )
  await Promise.all([change(), ...all])
  return times
}
