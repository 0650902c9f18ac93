import { expect, test } from 'vitest'
import { letTimePass, states, waitingTexts } from '../sms.fixture.ts'
import { localhost } from './localhost.fixture.ts'
import { startCentre, startServerOn, textOf } from './smpp.fixture.ts'

test('F4 after the line was cut the texts in flight wait, the connection comes back, and all go out', async () => {
  await using centre = await startCentre((nth) => (nth === 5 ? 'cut' : undefined))
  await using server = await startServerOn(centre)
  await waitingTexts(server, 40)

  await server.send()
  await expect.poll(() => centre.bound()).toBe(1)
  await letTimePass(server)
  await server.send()

  expect(await states(server)).toEqual({ handed_over: 40 })
  expect(centre.binds.length).toBe(2)
  const copies = [...Map.groupBy(centre.taken, ({ to }) => to).values()].map(({ length }) => length)
  expect(copies).toHaveLength(40)
  expect(copies.filter((n) => n > 1).length).toBeLessThanOrEqual(10)
})

test('F4 a line that is dead without having been cut is given up and opened again', async () => {
  await using centre = await startCentre()
  await using server = await startServerOn(centre, { times: { enquire: 30, answer: 30 } })
  await expect.poll(() => centre.bound()).toBe(1)

  centre.state.answersEnquiries = false
  await expect.poll(() => centre.binds.length).toBeGreaterThan(1)

  expect(String(server.troubles[0])).toContain('the SMPP provider does not answer')
})

test('F9 without a connection a text is turned away soon, so that another gateway can have it', async () => {
  await using centre = await startCentre()
  await centre.stop()
  await using server = await startServerOn(centre, { times: { grace: 200 } })
  const start = performance.now()

  await expect(server.gateway.send(textOf('Evacuate now.'))).rejects.toThrow('no SMS provider')
  expect(performance.now() - start).toBeLessThan(3_000)

  await centre.restart()
  await expect.poll(() => centre.bound()).toBe(1)
  expect(await server.gateway.send(textOf('Evacuate now.'))).toMatchObject({ providerIds: ['m1'] })
})

test('F9 a wrong password is said, and tried again with patience', async () => {
  await using centre = await startCentre()
  await using server = await startServerOn(centre, { password: 'wrong' })
  await expect.poll(() => centre.binds.length).toBeGreaterThan(2)

  expect(centre.bound()).toBe(0)
  expect(String(server.troubles[0])).toContain('status 0xe')
})

test('T19 over TLS the provider must be who it says it is', async () => {
  await using centre = await startCentre(undefined, localhost)
  await using trusting = await startServerOn(centre, { tls: true, ca: localhost.cert })
  await using wary = await startServerOn(centre, { tls: true, times: { grace: 300 } })

  expect(await trusting.gateway.send(textOf('Evacuate now.'))).toMatchObject({ gateway: 'smpp' })
  await expect(wary.gateway.send(textOf('Evacuate now.'))).rejects.toThrow('no SMS provider')

  expect(String(wary.troubles[0])).toContain('self-signed certificate')
  expect(centre.taken).toHaveLength(1)
})
