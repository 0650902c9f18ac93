import { findInCommand, type InCommand } from '#features/command/server/command-summary.ts'
import { listTallies } from '#features/evacuation/server/tally.queries.ts'
import type { Tx } from '#server/platform/db/db.ts'
import { type HazardRow, listLiveHazards } from './hazards.queries.ts'
import * as queries from './pack-content.queries.ts'
import type { OpenPack } from './packs.queries.ts'

/** People in danger that one page names. */
const mostNamed = 200
/** Event managers that one page names. */
const mostContacts = 20

export type OfPack = Pick<OpenPack, 'clientUid' | 'eventUid' | 'plans'>

/** The moment of what is read. */
export const momentOf = ({ at, endedAt }: queries.PackEvent): Date => endedAt ?? at

/** A floor, or the people of a building who are on none. */
export interface PackPlace extends queries.PlaceRow {
  unknown: number
  danger: number
}

/** What the fire service reads. All of it is of one moment: now, or the end of the event. */
export interface PackContent {
  event: queries.PackEvent
  /** Null: no one is in command, or was when the event ended. */
  inCommand: InCommand | null
  places: PackPlace[]
  hazards: HazardRow[]
  danger: queries.DangerRow[]
  help: queries.HelpRow[]
  contacts: queries.ContactRow[]
}

/** Reads it from what is so now. */
export async function readAsItIs(tx: Tx, pack: OfPack): Promise<PackContent> {
  const event = await queries.getPackEvent(tx, pack)
  return {
    event,
    inCommand: await findInCommand(tx, pack, event.endedAt !== null),
    places: await countedPlaces(tx, pack),
    hazards: await listLiveHazards(tx, pack.clientUid, pack.eventUid),
    danger: await queries.listInDanger(tx, pack, mostNamed),
    help: await queries.listHelp(tx, pack, pack.plans),
    contacts: await queries.listContacts(tx, pack, mostContacts),
  }
}

async function countedPlaces(tx: Tx, pack: OfPack): Promise<PackPlace[]> {
  const rows = await listTallies(tx, pack.clientUid, pack.eventUid)
  const counts = new Map<string, { unknown: number; danger: number }>(rows.map((row) => [row.placeUid, row]))
  return (await queries.listPlaceRows(tx, pack)).map((place) => {
    const { unknown = 0, danger = 0 } = counts.get(place.floorUid ?? place.buildingUid) ?? {}
    return { ...place, unknown, danger }
  })
}

export interface Figures {
  danger: number
  unknownNotCleared: number
  help: number
  cleared: number
  floors: number
}

/** People on no floor are where no one has searched. */
export function figuresOf({ places, help }: Pick<PackContent, 'places' | 'help'>): Figures {
  const floors = places.filter(({ floorUid }) => floorUid !== null)
  const open = places.filter(({ isClear }) => !isClear)
  return {
    danger: sum(places, 'danger'),
    unknownNotCleared: sum(open, 'unknown'),
    help: help.length,
    cleared: floors.filter(({ isClear }) => isClear).length,
    floors: floors.length,
  }
}

export const sum = (places: readonly PackPlace[], status: 'danger' | 'unknown') =>
  places.reduce((total, place) => total + place[status], 0)

/** Floors that are not cleared, and people on no floor where there are any. */
export const openPlaces = (places: readonly PackPlace[]) =>
  places.filter((place) => !place.isClear && (place.floorUid !== null || place.unknown + place.danger > 0))

export const byBuilding = (places: readonly PackPlace[]): PackPlace[][] => [
  ...Map.groupBy(places, ({ buildingUid }) => buildingUid).values(),
]
