import { type RawBuilder, sql } from 'kysely'
import type { Action } from '#kernel/actions.ts'
import { areaHas } from './warden-area.ts'

/** What the people of a building in an event do. */
export interface BuildingAction {
  action: Action
  /** The place that people go to. Empty without one. */
  where: string
}

interface StandingAction extends BuildingAction {
  from: Date
  /** What a release ends. */
  before: Action | null
}

/** The fields of a building in a reply. None where people leave. */
export const presentAction = ({ action, where, from, before }: StandingAction) =>
  action === 'evacuate'
    ? {}
    : { action, ...(where && { where }), action_from: from.toISOString(), ...(before && { action_before: before }) }

const actionInForce = sql`case eb.action when 'release' then coalesce(eb.action_before, 'evacuate') else eb.action end`

/** People leave building `eb` of an event, or did before the release. */
export const isLeaving: RawBuilder<boolean> = sql`(${actionInForce}) in ('evacuate', 'move')`

/** No phone of building `eb` of an event may be heard. */
export const isQuiet: RawBuilder<boolean> = sql`(eb.action = 'lockdown')`

/** The place of sign-in `si`, by assignment `a` with role `r`, is in a quiet building of the event: no phone there may ring again. */
export const isHidden: RawBuilder<boolean> = sql`exists (
  select from event_building eb
  where eb.client_uid = si.client_uid and eb.event_uid = si.event_uid and eb.active and ${isQuiet}
    and (r.area_domain = 'Site' or ${areaHas(sql`l.building_uid = eb.building_uid`)}))`
