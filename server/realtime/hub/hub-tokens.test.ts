import { expect, test, vi } from 'vitest'
import { closeCodes } from './codes.ts'
import { Phone, startHub, tokenFor } from './hub.fixture.ts'

const eventually = (check: () => void) => vi.waitFor(check, { timeout: 20_000, interval: 5 })

test.concurrent('HUB-09 a participation revoked before connect, or since the last check before a subscribe, gets nothing', async () => {
  const revoked = new Set(['s1'])
  await using server = await startHub({ isRevoked: async ({ sub }) => revoked.has(sub), recheckSeconds: 0 })
  using early = new Phone(server.url, 's1', ['event:1'])
  using late = new Phone(server.url, 's2', [], { getToken: () => tokenFor('s2', ['event:1']) })
  await late.client.ready()

  revoked.add('s2')
  late.follow('event:1')

  await eventually(() =>
    expect([early.log.at(-1), late.log.at(-1)]).toEqual(['disconnected 3500', 'disconnected 3500']),
  )
  expect(server.hub.counts()).toEqual({ connections: 0, subscriptions: 0 })
})

test.concurrent('HUB-09 a phone that returns is checked once, however many channels it follows', async () => {
  let checks = 0
  const isRevoked = () => {
    checks++
    return false
  }
  await using server = await startHub({ isRevoked })
  using phone = new Phone(server.url, 's1', ['event:1', 'warden:1'])
  await phone.ready()

  expect(checks).toBe(1)
})

test.concurrent('HUB-09 a sign-out during the check finds the connection', async () => {
  const asked = Promise.withResolvers<void>()
  const answer = Promise.withResolvers<boolean>()
  const isRevoked = () => {
    asked.resolve()
    return answer.promise
  }
  await using server = await startHub({ isRevoked })
  using phone = new Phone(server.url, 's1', ['event:1'])

  await asked.promise
  server.hub.disconnect('s1', closeCodes.signedOut)
  answer.resolve(false)

  await eventually(() => expect(phone.log.at(-1)).toBe('disconnected 3503'))
})

test.concurrent('HUB-09 a participation revoked without notice loses its socket at the next check', async () => {
  let isRevoked = false
  await using server = await startHub({ isRevoked: () => isRevoked, pingSeconds: 1, recheckSeconds: 0 })
  using phone = new Phone(server.url, 's1', ['event:1'])
  await phone.ready()

  isRevoked = true

  await eventually(() => expect(phone.log.at(-1)).toBe('disconnected 3500'))
})

test.concurrent('HUB-09 while the database cannot be asked about a participation, the client is told to retry', async () => {
  let fails = 2
  const isRevoked = async () => {
    if (fails-- > 0) throw new Error('no database')
    return false
  }
  await using server = await startHub({ isRevoked })
  using phone = new Phone(server.url, 's1', ['event:1'])

  await phone.ready()

  expect(phone.log.filter((line) => line === 'error 100')).toHaveLength(2)
  expect(server.hub.counts()).toEqual({ connections: 1, subscriptions: 1 })
})

test.concurrent('RT-24 HUB-10 the client replaces an expired token and stays connected', async () => {
  await using server = await startHub()
  using phone = new Phone(server.url, 's1', ['event:1'], { tokenSeconds: 2 })
  await phone.ready()

  await eventually(() => expect(phone.tokensFetched).toBeGreaterThan(2))
  server.publish('event:1', 'still here')

  await eventually(() => expect(phone.received).toEqual(['still here']))
  expect(phone.log).toEqual(['connecting 0', 'connected', 'subscribed'])
})

test.concurrent('RT-24 HUB-10 an expired token at connect is answered with 109, and the client returns with a new one', async () => {
  await using server = await startHub()
  const expired = await tokenFor('s1', ['event:1'], -10)
  using phone = new Phone(server.url, 's1', ['event:1'], { token: expired })

  await phone.ready()

  expect(phone.log).toEqual(['connecting 0', 'error 109', 'connected', 'subscribed'])
  expect(phone.tokensFetched).toBe(1)
})

test.concurrent('HUB-10 without a new token the connection is closed after the grace period', async () => {
  await using server = await startHub({ pingSeconds: 1, expiryGraceSeconds: 0 })
  let tokens = 0
  const getToken = () => (tokens++ === 0 ? tokenFor('s1', ['event:1'], 2) : new Promise<string>(() => {}))
  using phone = new Phone(server.url, 's1', ['event:1'], { getToken })
  await phone.ready()

  await eventually(() => expect(phone.log).toContain('connecting 3005'))
})

test.concurrent('HUB-10 a subscribe with an expired token waits for the refresh instead of failing', async () => {
  await using server = await startHub()
  let tokens = 0
  const held = Promise.withResolvers<void>()
  const getToken = async () => {
    if (tokens++ > 0) await held.promise
    return tokenFor('s1', ['event:1'], tokens === 1 ? 2 : 60)
  }
  using phone = new Phone(server.url, 's1', [], { getToken })
  await phone.client.ready()
  await eventually(() => expect(tokens).toBe(2))
  const subscription = phone.client.newSubscription('event:1', { minResubscribeDelay: 20 })
  const errors: number[] = []
  subscription.on('error', ({ error }) => errors.push(error.code))
  subscription.subscribe()

  await eventually(() => expect(errors).toContain(110))
  held.resolve()

  await subscription.ready()
  expect(phone.log).toEqual(['connecting 0', 'connected'])
})

test.concurrent('HUB-10 a refresh that names fewer channels unsubscribes from the others', async () => {
  await using server = await startHub()
  let tokens = 0
  const getToken = () =>
    tokenFor('s1', tokens++ === 0 ? ['event:1', 'warden:s1'] : ['warden:s1'], tokens === 1 ? 2 : 60)
  using phone = new Phone(server.url, 's1', ['event:1', 'warden:s1'], { getToken })
  await phone.ready()

  await eventually(() => expect(phone.log.at(-1)).toBe('unsubscribed 2000'))
  expect(server.hub.channels()).toEqual(['warden:s1'])
})

test.concurrent("HUB-10 a refresh with another participation's token closes the connection", async () => {
  await using server = await startHub()
  let tokens = 0
  using phone = new Phone(server.url, 's1', ['event:1'], { getToken: () => tokenFor(`s${++tokens}`, ['event:1'], 2) })
  await phone.ready()

  await eventually(() => expect(phone.log.at(-1)).toBe('disconnected 3500'))
})
