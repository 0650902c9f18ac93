import { useState } from 'react'
import { type Action, hasWhere } from '#kernel/actions.ts'
import type { EventTypeUid } from '#kernel/ids.ts'
import type { EventKind } from '#kernel/vocabulary.ts'
import { newKey } from '#web/lib/new-key.ts'
import type { EventSite, EventSites, EventType } from '../calls/events.ts'
import { acceptText, concludedText, defaultText } from './broadcast-text.ts'
import type { EventChange } from './events.data.ts'
import {
  isInEvent,
  isSelectedInEvent,
  type Mode,
  modeOf,
  nothingSelected,
  type Selection,
  selectedBuildings,
  siteOf,
  stillValid,
} from './selected-buildings.ts'

type SitesData = EventSites['data']
export type YesNo = 'yes' | 'no'

/** What the warden has put in; everything else on the screen follows from it and the data. */
const untouched = {
  selection: nothingSelected,
  /** Of the buildings ticked, when they were. */
  wereInEvent: false,
  eventType: '' as EventTypeUid | '',
  /** null until the warden writes: then the text follows selection and type. */
  draft: null as string | null,
  broadcastMessage: 'yes' as YesNo,
  alertToWarden: 'yes' as YesNo,
  /** null until someone presses the toggle: then it no longer follows the type. */
  kind: null as EventKind | null,
  announced: 'yes' as YesNo,
}

/** Selection, type, message and toggles of the event screen, with the rules between them. */
export function useEventForm(data: SitesData) {
  const [input, setInput] = useState(untouched)
  const change = (patch: Partial<typeof untouched>) => setInput((before) => ({ ...before, ...patch }))

  const selection = stillValid(data.sites, input.selection, input.wereInEvent)
  // With nothing ticked the session's own site is the chosen one.
  const own = data.sites.find(({ id }) => id === data.activeEvent?.siteId)
  const site = siteOf(data.sites, selection) ?? own
  const buildings = selectedBuildings(site, selection)
  const eventRuns = site?.buildings.some(isInEvent) ?? false
  const mode = modeOf(site, selection)
  const type = eventRuns ? runningType(data, site) : data.eventTypes.find(({ id }) => id === input.eventType)
  const names = buildings.map(({ name }) => name)
  const message = input.draft ?? suggestedText(mode, site, names, type)

  return {
    selection,
    site,
    buildings,
    eventRuns,
    mode,
    type,
    message,
    broadcastMessage: input.broadcastMessage,
    alertToWarden: eventRuns ? ('no' as const) : input.alertToWarden,
    kind: input.kind ?? type?.kind ?? 'live',
    announced: input.announced,
    isComplete: buildings.length > 0 && type !== undefined && message.trim() !== '',
    change,
    select: (selection: Selection) => change({ selection, wereInEvent: isSelectedInEvent(data.sites, selection) }),
    write: (text: string) => change({ draft: acceptText(message, text) }),
    clear: () => setInput(untouched),
  }
}
export type EventForm = ReturnType<typeof useEventForm>

/** A change with the words it is read by. */
export interface AskedChange extends EventChange {
  site: string
  buildings: readonly string[]
  type: string
  /** What events of the type are. */
  typeKind: EventKind
  /** What people do. Undefined where they leave, and where the change brings no building in. */
  action?: Action
}

/** The change as the manager is asked about it. It stays as it is, whatever arrives before the answer. */
export function changeOf(form: EventForm, { activeEvent }: EventSites['data']): AskedChange | null {
  const { mode, site, type, buildings, message, broadcastMessage, alertToWarden, kind, announced } = form
  if (!site || !type) return null
  const action = mode === 'start' || mode === 'add' ? type.action : undefined
  return {
    mode,
    input: {
      buildings: buildings.map(({ id }) => id),
      eventType: type.id,
      message: message.trim(),
      broadcastMessage,
      alertToWarden,
      ...(mode === 'start' && (kind === 'drill' ? { kind, announced } : { kind })),
      ...(action && hasWhere(action) && { where: type.where ?? '' }),
    },
    event: site.buildings.find(isInEvent)?.event?.id ?? null,
    concernsOwnSite: activeEvent?.siteId === site.id,
    key: newKey(),
    site: site.name,
    buildings: buildings.map(({ name }) => name),
    type: type.type,
    typeKind: type.kind,
    ...(action && { action }),
  }
}

function runningType({ eventTypes }: SitesData, site: EventSite | undefined): EventType | undefined {
  const event = site?.buildings.find(isInEvent)?.event
  return eventTypes.find(({ id }) => id === event?.eventType)
}

function suggestedText(mode: Mode, site: EventSite | undefined, names: readonly string[], type: EventType | undefined) {
  if (mode === 'end') return concludedText(site?.name ?? '', [])
  if (mode === 'remove') return concludedText(site?.name ?? '', names)
  return names.length > 0 || !site?.buildings.some(isInEvent) ? defaultText(type?.message) : ''
}
