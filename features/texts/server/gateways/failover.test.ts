import { expect, onTestFinished, test, vi } from 'vitest'
import { GatewayRefusal, type OutgoingText, type SmsGateway, TextRejected } from '../sms-gateway.ts'
import { inOrder, type Trying } from './failover.ts'

const text = (reference = 'a/b'): OutgoingText => ({
  reference,
  to: '61491570156',
  body: 'Evacuate now.',
  validUntil: new Date(Date.now() + 60_000),
})

/** A gateway that does as told; `asked` holds what it was given. */
function gateway(name: string, answer: () => Promise<unknown> | unknown = () => undefined) {
  const asked: string[] = []
  const made: SmsGateway = {
    name,
    async send({ reference }) {
      asked.push(reference)
      await answer()
      return { gateway: name, providerIds: [`${name}-${asked.length}`] }
    },
    async close() {},
  }
  return Object.assign(made, { asked })
}
const failing = () => {
  throw new Error('503')
}
const silent = () => new Promise(() => undefined)
const both = (one: SmsGateway, two: SmsGateway, trying: Trying = {}) => {
  const order = inOrder([one, two], trying)
  return { send: (reference?: string) => order.send(text(reference)) }
}

test('F9 after an error the other gateway is asked at once', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const [one, two] = [gateway('one', failing), gateway('two')]

  expect(await both(one, two).send()).toEqual({ gateway: 'two', providerIds: ['two-1'] })
})

test('F9 after silence the other is asked when patience ends: within ten seconds', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const [one, two] = [gateway('one', silent), gateway('two')]
  const sent = both(one, two).send()

  await vi.advanceTimersByTimeAsync(10_000)

  expect(two.asked).toHaveLength(1)
  expect(await sent).toMatchObject({ gateway: 'two' })
})

test('F9 who is silent hears that no one waits any more', async () => {
  const heard = Promise.withResolvers<void>()
  const one: SmsGateway = {
    name: 'one',
    send: (_, signal) =>
      new Promise(() => {
        signal?.addEventListener('abort', () => heard.resolve())
      }),
    async close() {},
  }

  await both(one, gateway('two'), { patienceMs: 20 }).send()

  await expect(heard.promise).resolves.toBeUndefined()
})

test('F9 a gateway that failed three times is left alone, then one text tries it', async () => {
  let works = false
  const [one, two] = [gateway('one', () => works || failing()), gateway('two')]
  const { send } = both(one, two, { restMs: 60_000 })
  for (let i = 0; i < 20; i++) await send()
  expect([one.asked.length, two.asked.length]).toEqual([3, 20])

  works = true
  const later = performance.now() + 60_000
  vi.spyOn(performance, 'now').mockReturnValue(later)
  expect(await send()).toMatchObject({ gateway: 'one' })
  expect(await send()).toMatchObject({ gateway: 'one' })
})

test('F4 a gateway that says it is back is asked at once, and the person who waits for it is told', async () => {
  let works = false
  let tellBack = () => {}
  const one = { ...gateway('one', () => works || failing()), whenBack: (listener: () => void) => (tellBack = listener) }
  let told = 0
  const { send } = both(one, gateway('two'), { restMs: 60_000, onBack: () => told++ })
  for (let i = 0; i < 4; i++) await send()
  expect([one.asked.length, told]).toEqual([3, 0])

  works = true
  tellBack()

  expect(told).toBe(1)
  expect(await send()).toMatchObject({ gateway: 'one' })
})

test('F9 while one text tries a silent gateway again, the others do not wait for it', async () => {
  const answered = Promise.withResolvers<void>()
  const one = gateway('one', () => (one.asked.length > 3 ? answered.promise : failing()))
  const { send } = both(one, gateway('two'), { patienceMs: 60_000, restMs: 0 })
  for (let i = 0; i < 3; i++) await send()

  const probe = send('probe')
  for (let i = 0; i < 10; i++) expect(await send()).toMatchObject({ gateway: 'two' })

  answered.resolve()
  expect(await probe).toMatchObject({ gateway: 'one' })
  expect(one.asked).toHaveLength(4)
})

test('F9 what one gateway refuses the other may take; what both refuse has failed', async () => {
  const refusing = (why: string) => () => {
    throw new GatewayRefusal(why)
  }
  const [one, two] = [gateway('one', refusing('No such country.')), gateway('two')]
  expect(await both(one, two).send()).toMatchObject({ gateway: 'two' })

  const never = both(one, gateway('two', refusing('Opted out.'))).send()
  await expect(never).rejects.toThrow(new TextRejected('No such country. Opted out.'))
  await expect(both(one, gateway('two', failing)).send()).rejects.not.toThrow(TextRejected)
})

test('F9 a gateway that refuses some numbers works: the next text goes to it first', async () => {
  const refusals = [new GatewayRefusal('No such country.'), new TextRejected('No such number.')]
  const answers = [...refusals, ...refusals]
  const one = gateway('one', () => {
    const refusal = answers.pop()
    if (refusal) throw refusal
  })
  const { send } = both(one, gateway('two'))

  for (let i = 0; i < 4; i++) await send().catch(() => undefined)

  expect(await send()).toMatchObject({ gateway: 'one' })
})

test('F9 a number that does not exist is not tried anywhere else', async () => {
  const one = gateway('one', () => {
    throw new TextRejected('The number does not exist.')
  })
  const two = gateway('two')

  await expect(both(one, two).send()).rejects.toThrow(TextRejected)

  expect(two.asked).toEqual([])
})

test('F10 while both rest a text waits, and the gateways are left in peace', async () => {
  const [one, two] = [gateway('one', failing), gateway('two', failing)]
  const { send } = both(one, two)

  for (let i = 0; i < 50; i++) await expect(send()).rejects.toThrow('no SMS provider')

  expect([one.asked.length, two.asked.length]).toEqual([3, 3])
})
