import { randomUUID } from 'node:crypto'
import type { ClientUid, SiteUid } from '#kernel/ids.ts'

/** The organisation while a folder is read: stored rows, overlaid by the rows of files read so far. */
export interface Known {
  client: { uid: ClientUid; code: string; timezone: string; country: string }
  sites: Map<string, KnownSite>
  buildings: Map<string, KnownBuilding>
  /** By `BUILDING/FLOOR`. */
  floors: Map<string, KnownFloor>
  roles: Map<string, KnownRole>
  people: Map<string, KnownPerson>
  groups: Map<string, KnownGroup>
  /** Active PEEPs by the code of their person. */
  peeps: Map<string, KnownPlan>
  eventTypes: Map<string, Coded>
  floorStatuses: Map<string, Coded>
  checklist: Map<string, KnownItem>
  templates: Map<string, Coded>
  documents: Map<string, Coded>
}

export interface Coded {
  uid: string
  code: string
  /** Where the files have it. Absent if only the database does. */
  line?: number
}
/** Out of use. Retired places stand for past events, and nothing new refers to them. Their names are free. */
interface Retirable extends Coded {
  isRetired?: true
}
export interface KnownSite extends Retirable {
  uid: SiteUid
  name: string
  timezone: string
}
export interface KnownBuilding extends Retirable {
  name: string
  /** Its code. */
  site: string
}
export interface KnownFloor extends Retirable {
  name: string
  /** Its code. */
  building: string
}
export type AreaDomain = 'Site' | 'Building' | 'Floor' | 'Area'
export interface KnownRole extends Coded {
  name: string
  areaDomain: AreaDomain
}
export interface KnownPerson extends Coded {
  kind: 'staff' | 'visitor'
  active: boolean
  accountUid: string | null
  email: string | null
  mobile: string | null
  /** The code of the site where they are. Its day is the day of their plan. */
  site: string | undefined
}
export interface KnownPlan extends Coded {
  consentOn: string | null
  reviewOn: string | null
}

export interface KnownGroup extends Retirable {
  name: string
  /** A grant reaches it: its administrator would reach no one. */
  isReach?: true
}

/** An item of the checklist. Its name is its text. */
export interface KnownItem extends Retirable {
  name: string
}

export const noneKnown: Known = {
  client: { uid: '' as ClientUid, code: '', timezone: '', country: '' },
  sites: new Map(),
  buildings: new Map(),
  floors: new Map(),
  roles: new Map(),
  people: new Map(),
  groups: new Map(),
  peeps: new Map(),
  eventTypes: new Map(),
  floorStatuses: new Map(),
  checklist: new Map(),
  templates: new Map(),
  documents: new Map(),
}

/** The uid of the stored row, or a new one, so that references are known before anything is written. */
export function uidOf<C extends Coded>(known: ReadonlyMap<string, C>, code: string): C['uid'] {
  return known.get(code)?.uid ?? randomUUID()
}
