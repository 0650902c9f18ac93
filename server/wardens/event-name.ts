import { sql } from 'kysely'
import type { EventName } from '#kernel/event-name.ts'

/** The word for event `e` of type `et` on every screen. */
export const eventWord = sql<string>`et.type`

/** What every screen says of event `e` of type `et`. */
export const eventName = sql<EventName>`jsonb_build_object('type', ${eventWord}, 'description', et.description)`
