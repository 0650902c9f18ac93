import { reportIn } from '#features/duty/calls/report-in.ts'
import { type CreateEventInput, createEvent, endEvent, listEventSites } from '#features/events/calls/events.ts'
import { login } from '#features/sign-in/calls/sign-in.ts'
import type { Call } from '#kernel/client/client.ts'
import { callerOf } from '#kernel/client/fetch-caller.ts'
import { password, type TestOrganisation } from './organisation.ts'
import type { Product } from './product.ts'

/** Calls without a session, for steps that an end-to-end test does not do on a screen. */
export const strangerOf = (product: Pick<Product, 'url'>): Call => callerOf(product.url)

export async function signIn(product: Pick<Product, 'url'>, email: string): Promise<Call> {
  const { access_token } = await callerOf(product.url)(login, { body: { email, password } })
  return callerOf(product.url, access_token)
}

/** The chief starts a fire event in the named buildings. Returns the chief's calls. */
export async function startEvent(
  product: Pick<Product, 'url'>,
  { chief }: TestOrganisation,
  buildings = ['Tower A'],
  over: Partial<CreateEventInput> = {},
): Promise<Call> {
  const manager = await signIn(product, chief)
  const { data } = await manager(listEventSites, {})
  const wanted = data.sites[0]?.buildings.filter(({ name }) => buildings.includes(name)) ?? []
  await manager(createEvent, {
    body: {
      buildings: wanted.map(({ id }) => id),
      eventType: data.eventTypes.find(({ type }) => type === 'Fire')?.id as never,
      message: 'Fire alarm. Evacuate now.',
      broadcastMessage: 'no',
      alertToWarden: 'no',
      ...over,
    },
  })
  return manager
}

export async function onDuty(product: Pick<Product, 'url'>, email: string): Promise<Call> {
  const warden = await signIn(product, email)
  await warden(reportIn, {})
  return warden
}

/** Ends the event of the manager's site. */
export async function concludeEvent(manager: Call): Promise<void> {
  const { data } = await manager(listEventSites, {})
  const buildings = data.sites.flatMap((site) => site.buildings.filter(({ event }) => event).map(({ id }) => id))
  const eventType = data.activeEvent?.eventType as never
  await manager(endEvent, { body: { buildings, eventType, message: 'It has concluded', broadcastMessage: 'no' } })
}
