import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Fastify from 'fastify'
import { expect, onTestFinished, test } from 'vitest'
import { frontDoors } from './listeners.ts'

const host = '127.0.0.1'

async function open({ port = 0 } = {}) {
  const app = Fastify()
  const answer = Promise.withResolvers<void>()
  const begun: number[] = []
  const answered: number[] = []
  // one after the other, so that those of one door are not all answered at once
  app.get('/slow', async () => {
    const turns = begun.push(1)
    await answer.promise
    for (let turn = 0; turn < turns; turn++) await nextTurn()
  })
  app.addHook('onResponse', async () => void answered.push(1))
  const doors = frontDoors(app)
  await doors.open({ port, host })
  return { app, doors, answer, begun, answered, port: (app.server.address() as AddressInfo).port }
}

/** Turns of the event loop, each with 2 ms of other work. */
function countTurns() {
  let turns = 0
  let isOver = false
  const turn = () => {
    turns++
    for (const end = performance.now() + 2; performance.now() < end; );
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  return () => {
    isOver = true
    return turns
  }
}

test.runIf(process.platform === 'linux')(
  'F36 phones that come all at once are let in, although the process has much to do',
  async () => {
    const { doors, app, port } = await open()
    let entered = 0
    const all = Promise.withResolvers<void>()
    const phones = Array.from({ length: 300 }, () => connect(port, host))
    app.server.on('connection', () => {
      entered++
      if (entered === phones.length) all.resolve()
    })
    const turns = countTurns()

    await all.promise

    expect(turns()).toBeLessThan(150)
    for (const phone of phones) phone.destroy()
    await doors.close()
  },
)

test('F36 a port that another program has is not shared', async () => {
  const { doors, port } = await open()
  await expect(open({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
  await doors.close()

  const other = createServer().listen(0, host)
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  await expect(open({ port: (other.address() as AddressInfo).port })).rejects.toMatchObject({ code: 'EADDRINUSE' })
})

test('F36 a process that stops answers who is inside at each door, and lets no one in', async () => {
  const { doors, answer, begun, answered, port } = await open()
  const url = `http://${host}:${port}/slow`
  const inside = Array.from({ length: 60 }, () => fetch(url, { headers: { connection: 'close' } }))
  await expect.poll(() => begun.length).toBe(60)

  const closed = doors.close()
  await expect(fetch(url)).rejects.toThrow()
  answer.resolve()
  await closed

  expect(answered).toHaveLength(60)
  expect((await Promise.all(inside)).map(({ status }) => status)).toEqual(Array(60).fill(200))
})
