import { type Static, Type } from 'typebox'

/** What every screen says of an event: name and description of its type. */
export type EventName = Static<typeof EventName>
export const EventName = Type.Object({ type: Type.String(), description: Type.String() })
