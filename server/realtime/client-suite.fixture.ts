import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Publication } from '#features/live-updates/calls/realtime.ts'
import type { Journal } from './feed/feed.fixture.ts'
import { ownTime, Phone } from './hub/hub.fixture.ts'

/** A server of sockets, with what publishes to it. */
export interface Stage extends AsyncDisposable {
  journal: Journal
  /** Where phones connect. */
  url: string
  /** A change was committed. */
  announce: () => void
  /** The options of a client with tokens that live so many seconds. The first may be older than that. */
  tokensOf: (
    sub: string,
    channels: string[],
    seconds?: { first: number },
  ) => Promise<ConstructorParameters<typeof Phone>[3]>
}

const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 20_000, interval: 10 })
const news = ({ received }: Phone) => received as Publication[]
/** Who is named in no publication that the phone got. */
const untold = (phone: Phone, uids: readonly string[]) => {
  const told = new Set(news(phone).flatMap(({ changed = [] }) => changed.flatMap(({ ids }) => ids)))
  return uids.filter((uid) => !told.has(uid))
}
const isInOrder = (phone: Phone) =>
  news(phone).every(({ at = 0 }, nth, all) => nth === 0 || at > (all[nth - 1]?.at ?? 0))

/** What a phone may count on, whatever holds its socket. */
export function testClients(open: () => Promise<Stage>) {
  async function openPhone(stage: Stage, sub: string, channels: string[], seconds?: { first: number }) {
    return new Phone(stage.url, sub, channels, await stage.tokensOf(sub, channels, seconds)).ready()
  }
  const attendance = (eventUid: string) => ({ action: 'warden_reported_in', subjectUid: randomUUID(), eventUid })
  async function change(stage: Stage, eventUid: string) {
    const note = attendance(eventUid)
    const xid = await stage.journal.write(note)
    stage.announce()
    return { xid, uid: note.subjectUid }
  }

  test('RT-13 LIVE-04 a phone gets what concerns its channels, in order, each with its transaction', async () => {
    await using stage = await open()
    const [eventUid, signIn] = [randomUUID(), randomUUID()]
    using phone = await openPhone(stage, signIn, [`event:${eventUid}`, `warden:${signIn}`])

    await change(stage, randomUUID())
    const first = await change(stage, eventUid)
    await eventually(() => untold(phone, [first.uid])).toEqual([])
    const own = { action: 'unread_changed', subjectUid: signIn, after: { warden_unread_msg: true } }
    const second = await stage.journal.write(own)
    stage.announce()

    await eventually(() => news(phone)).toMatchObject([
      { status: 'ok', changed: [{ topic: 'attendance', ids: [first.uid] }], at: first.xid },
      { warden_unread_msg: true, at: second },
    ])
  })

  test('RT-20 HUB-03 a channel without permission is refused, and no client publishes', async () => {
    await using stage = await open()
    const channel = `event:${randomUUID()}`
    using phone = await openPhone(stage, 's1', [channel])

    for (const foreign of [`event:${randomUUID()}`, 'warden:s2']) phone.follow(foreign)

    await eventually(() => phone.log.filter((line) => line === 'unsubscribed 103')).toHaveLength(2)
    await expect(phone.client.publish(channel, { status: 'ok' })).rejects.toMatchObject({ code: 103 })
  })

  test('HUB-05 a phone that was away gets all that it missed, in order', async () => {
    await using stage = await open()
    const eventUid = randomUUID()
    using phone = await openPhone(stage, 's1', [`event:${eventUid}`])
    const before = await change(stage, eventUid)
    await eventually(() => untold(phone, [before.uid])).toEqual([])

    phone.client.disconnect()
    const missed: string[] = []
    for (let n = 0; n < 20; n++) missed.push((await change(stage, eventUid)).uid)
    phone.client.connect()

    await eventually(() => untold(phone, missed)).toEqual([])
    expect(phone.log).toContain('subscribed recovered=true')
    expect(isInOrder(phone)).toBe(true)
  })

  test('LIVE-05 HUB-30 after a sign-out the socket is closed within two seconds, and others stay', async () => {
    await using stage = await open()
    const [eventUid, signIn, other] = [randomUUID(), randomUUID(), randomUUID()]
    using phone = await openPhone(stage, signIn, [`event:${eventUid}`, `warden:${signIn}`])
    using stays = await openPhone(stage, other, [`event:${eventUid}`])

    await stage.journal.write({ action: 'session_ended', subjectUid: signIn })
    const since = ownTime()
    stage.announce()

    await eventually(() => phone.log.at(-1)).toBe('disconnected 3503')
    expect(since()).toBeLessThan(2000)
    expect(stays.client.state).toBe('connected')
  })

  test('RT-24 HUB-10 an expired token gets 109, and the phone comes in with a new one', async () => {
    await using stage = await open()
    using phone = await openPhone(stage, 's1', [`event:${randomUUID()}`], { first: -60 })

    expect(phone.log).toContain('error 109')
    expect([phone.client.state, phone.log.at(-1)]).toEqual(['connected', 'subscribed'])
  })

  test('RT-12 a token that someone else has signed lets no one in', async () => {
    await using stage = await open()
    const forged = ((await stage.tokensOf('s1', []))?.token ?? '').replace(/\.[^.]+$/, `.${'A'.repeat(43)}`)
    using phone = new Phone(stage.url, 's1', [], { token: forged, getToken: async () => forged })

    await eventually(() => phone.log.at(-1)).toBe('disconnected 3500')
  })
}
