import type { CreateEventInput, EndEventInput } from '#features/events/calls/events.ts'
import type { Organisation } from './given-places.ts'

/** The payload that starts a fire in Tower A, or adds to it; no one is texted unless said otherwise. */
export const startInput = (org: Organisation, over: Partial<CreateEventInput> = {}): { body: CreateEventInput } => ({
  body: {
    buildings: [org.buildingUid],
    eventType: org.eventTypeUid,
    message: 'Evacuate now.',
    broadcastMessage: 'no',
    alertToWarden: 'no',
    ...over,
  },
})

/** The payload that takes Tower A out of the event, or ends it. */
export const endInput = (org: Organisation, over: Partial<EndEventInput> = {}): { body: EndEventInput } => ({
  body: {
    buildings: [org.buildingUid],
    eventType: org.eventTypeUid,
    message: `The event at ${org.siteName} has concluded`,
    broadcastMessage: 'no',
    ...over,
  },
})
