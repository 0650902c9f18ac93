import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { hasWhere } from '#kernel/actions.ts'
import { pathOf } from '#kernel/client/client.ts'
import type { BuildingUid, EventUid } from '#kernel/ids.ts'
import * as limits from '#kernel/limits.ts'
import type { CallReply } from '#kernel/route.ts'
import { idempotencyKeyHeader } from '#kernel/write-headers.ts'
import { nextPageOf } from '#web/reads/people-pages.ts'
import { call } from '#web/session/api.ts'
import { eventFlags } from '#web/session/event-flags.ts'
import { noteEventKind } from '#web/session/event-kind.ts'
import { endsHereStore, storeEnding } from '#web/session/event-notices.ts'
import { getAuth, updateAuth } from '#web/session/stored-auth.ts'
import type { AlertText } from '#web/ui/popups/alert-modal.tsx'
import type { ChangeActionInput, CreateEventInput, createEvent, EventSites, endEvent } from '../calls/events.ts'
import type { Mode } from './selected-buildings.ts'

/** Also asked now and then: a manager who is not on duty has no live feed, yet must see an event that someone started. */
export const eventSitesQuery = queryOptions({
  queryKey: ['event', 'sites'],
  queryFn: ({ signal }) => call('GET /api/v2/event/buildings', {}, { signal }),
  select: ({ data }) => data,
  refetchInterval: limits.fallbackPoll,
  meta: { anyEvent: true },
})

export type MissingStatus = 'danger' | 'unknown'
const unaccountedCall = 'GET /api/v2/event/unaccounted'

/** Read anew each time the end of an event is asked for. */
export const unaccountedQuery = (event: EventUid, status: MissingStatus) =>
  infiniteQueryOptions({
    queryKey: ['evacuee', 'unaccounted', event, status],
    initialPageParam: {} as Record<string, string>,
    queryFn: ({ pageParam, signal }) => call(unaccountedCall, { query: { ...pageParam, event, status } }, { signal }),
    getNextPageParam: ({ pagination }) => nextPageOf(pagination.next_page_url, pathOf(unaccountedCall)),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: limits.fallbackPoll,
    meta: { anyEvent: true },
  })

/** A change as it was confirmed. */
export interface EventChange {
  mode: Mode
  input: CreateEventInput
  /** The event seen at the site. Null where none runs. */
  event: EventUid | null
  /** The event at the session's own site: only its end takes this warden off duty. */
  concernsOwnSite: boolean
  /** Made once per confirmation: pressing Confirm again after a lost answer cannot make a second event. */
  key: string
}
/** What to say, and where closing it leads. */
export interface Outcome {
  alert: AlertText
  next: 'load screen' | 'load list' | 'read again'
  /** A drill stands where a live event was to start: it can become live, with the message of the start. */
  drill?: { event: EventUid; message: string }
}

const success = (text: string): AlertText => ({ variant: 'success', text })
const warning = (text: string): Outcome => ({ alert: { variant: 'warn', text }, next: 'read again' })

/** Sends a confirmed change. Throws when it was refused or could not be sent. */
export async function sendEventChange({ mode, input, event, concernsOwnSite, key }: EventChange): Promise<Outcome> {
  const headers = { [idempotencyKeyHeader]: key }
  if (mode === 'start' || mode === 'add')
    return created(mode, input, await call('POST /api/v2/event/create', { body: input }, { headers }))
  const { alertToWarden: _, ...body } = input
  let isEnded = false
  endsHereStore.set(true)
  try {
    const reply = await call('POST /api/v2/event/end', { body: { ...body, ...(event && { event }) } }, { headers })
    const outcome = ended(concernsOwnSite, reply)
    isEnded = outcome.next === 'load list'
    return outcome
  } finally {
    endsHereStore.set(isEnded)
  }
}

/** The text follows what was asked for. */
function created(mode: Mode, { kind, message }: CreateEventInput, reply: CallReply<typeof createEvent>): Outcome {
  if (reply.status === 'event_running') {
    const { event } = reply
    const isBarred = mode === 'start' && kind === 'live' && event?.kind === 'drill'
    return { ...warning(reply.message), ...(isBarred && { drill: { event: event.id, message } }) }
  }
  // Who starts an event is on duty in it.
  updateAuth({ WardenSignInUID: reply.WardenSignInUID, on_duty: reply.on_duty, event: eventFlags('start') })
  noteEventKind(reply.event_kind)
  const text =
    mode === 'add'
      ? 'The building has successfully been added to the current event.'
      : 'Event has been successfully created.'
  return { alert: success(text), next: 'load screen' }
}

/** The text follows what the server did, as a building may have joined meanwhile. */
function ended(concernsOwnSite: boolean, reply: CallReply<typeof endEvent>): Outcome {
  if (!('status' in reply)) return warning(reply.message)
  const alert = success(reply.message)
  if (reply.scope === 'buildings') return { alert, next: 'read again' }
  if (concernsOwnSite) storeEnding()
  return { alert, next: 'load list' }
}

/** As it was confirmed. */
export interface MadeLive {
  event: EventUid
  message: string
  key: string
}

/** Makes the drill live. Throws when it was refused or could not be sent. */
export async function makeLive({ key, event, message }: MadeLive): Promise<void> {
  await call('POST /api/event/live', { body: { event, message } }, { headers: { [idempotencyKeyHeader]: key } })
  noteEventKind('live')
}

export interface ActionChange extends Omit<ChangeActionInput, 'buildings'> {
  buildings: readonly BuildingUid[]
  key: string
}

/** Changes what people of the buildings do. Throws when it was refused or could not be sent. */
export async function changeAction({ key, ...change }: ActionChange): Promise<void> {
  const { event, buildings, action, where = '', message, broadcastMessage, again, base } = change
  const body = {
    event,
    buildings: [...buildings],
    action,
    message: message.trim(),
    broadcastMessage,
    again,
    base,
    ...(hasWhere(action) && { where: where.trim() }),
  }
  await call('POST /api/event/action', { body }, { headers: { [idempotencyKeyHeader]: key } })
}

/** The header hides its back button, and the bar shows a drill, by what is stored; this keeps it true. */
export function noteActiveEvent(active: EventSites['data']['activeEvent']) {
  const auth = getAuth()
  const runs = active !== null
  noteEventKind(active?.kind ?? null)
  if (auth && auth.event.status !== runs) updateAuth({ event: { ...auth.event, status: runs } })
}
