import { endEvent } from '#features/events/calls/events.ts'
import { writeBroadcastPage } from '#features/events/server/broadcast.queries.ts'
import { endInput } from '#server/testing/event-input.ts'
import { countStates, endLeases, recordingSender } from '#server/testing/queued.ts'
import type { TestServer } from '#server/testing/test-server.ts'
import type { OutgoingText, SmsGateway } from './sms-gateway.ts'

/** An event whose message waits to be sent to this many occupants with a mobile. */
export async function waitingTexts(server: TestServer, count: number) {
  const org = await server.given.organisation()
  await server.given.occupants(org, count)
  const { eventUid, manager } = await server.runningEvent(org, { broadcastMessage: 'yes' })
  while (await writeBroadcastPage(server.db));
  const end = () => manager(endEvent, endInput(org))
  return { org, eventUid, manager, end }
}

/** A provider that does as told and remembers what it was given. */
export function provider(answer: (text: OutgoingText, nth: number) => void | Promise<void> = () => undefined) {
  const { taken, send } = recordingSender(answer, (nth) => ({ gateway: 'p', providerIds: [`p-${nth}`] as const }))
  const gateway: SmsGateway = { name: 'p', send, async close() {} }
  return { gateway, taken }
}

export const rows = ({ db }: TestServer) => db.selectFrom('sms').selectAll().orderBy('toMobile').execute()
export const states = async (server: TestServer) => countStates(await rows(server))
export const letTimePass = (server: TestServer) => endLeases(server, 'sms')
