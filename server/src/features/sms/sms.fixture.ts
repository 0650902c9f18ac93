import { endEvent } from '@evac/contract/calls/events.ts'
import { endInput } from '../../testing/event-input.ts'
import type { TestServer } from '../../testing/test-server.ts'
import { writeBroadcasts } from '../events/event-texts.service.ts'
import type { OutgoingText, SmsGateway } from './sms-gateway.ts'

/** An event whose message waits to be sent to this many occupants with a mobile. */
export async function waitingTexts(server: TestServer, count: number) {
  const org = await server.given.organisation()
  await server.given.occupants(org, count)
  const { eventUid, manager } = await server.runningEvent(org, { broadcastMessage: 'yes' })
  while (await writeBroadcasts(server.db));
  const end = () => manager(endEvent, endInput(org))
  return { org, eventUid, manager, end }
}

/** A provider that does as told and remembers what it was given. */
export function provider(answer: (text: OutgoingText, nth: number) => void | Promise<void> = () => undefined) {
  const taken: OutgoingText[] = []
  let asked = 0
  const gateway: SmsGateway = {
    name: 'p',
    async send(text) {
      await answer(text, ++asked)
      taken.push(text)
      return { gateway: 'p', providerIds: [`p-${taken.length}`] }
    },
    async close() {},
  }
  return { gateway, taken }
}

export const rows = ({ db }: TestServer) => db.selectFrom('sms').selectAll().orderBy('toMobile').execute()
export async function states(server: TestServer) {
  const counted = Map.groupBy(await rows(server), ({ status }) => status)
  return Object.fromEntries([...counted].map(([status, texts]) => [status, texts.length]))
}
/** As if the lease, or the wait for the next try, had run out. */
export const letTimePass = ({ db }: TestServer) =>
  db
    .updateTable('sms')
    .set({ claimedUntil: new Date(Date.now() - 1000) })
    .where('claimedUntil', 'is not', null)
    .execute()
