import type { BuildingUid, SiteUid } from '#kernel/ids.ts'
import type { Renamed } from './place-dialogs.tsx'
import type { FloorPlace, SitePlace } from './places.data.ts'
import type { Retiring } from './retire-dialog.tsx'

/** What is open above the page. */
export type Act =
  | { kind: 'building'; site: SiteUid; name: string }
  | { kind: 'floor'; to: ExtendedBuilding }
  | { kind: 'several'; to: ExtendedBuilding }
  | { kind: 'rename'; place: Renamed }
  | { kind: 'drills'; site: SitePlace }
  | { kind: 'retire'; place: Retiring }

/** A building that gets floors, and those that it has in use, from the lowest. */
export interface ExtendedBuilding {
  building: BuildingUid
  name: string
  floors: readonly FloorPlace[]
}

/** Why a place is not retired now. */
export const staysWhile = (site: SitePlace) =>
  site.event !== null && `An event is running at ${site.name}. This can be changed when it has ended.`
