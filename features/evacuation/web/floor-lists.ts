import * as limits from '#kernel/limits.ts'
import { type Change, patchQueries, type RecordLists, withChange } from '#web/outbox/acknowledged-records.ts'
import type { SentRecord } from '#web/outbox/core/safety-record.ts'
import type { FloorData } from '../calls/evacuation.ts'
import { moved } from './floor-counters.tsx'
import { type FloorAnswer, floorKey, occupantsKey, type Pages } from './floor-evacuation.data.ts'

export const floorLists: RecordLists = {
  keys: [floorKey, occupantsKey],
  refetchAfter: (kind) => (kind === 'refusal' ? limits.refetchAfterRefusal : limits.refetchAfterStatus),
  apply(client, sent, change) {
    patchQueries<FloorAnswer>(client, floorKey, (data) => ('error' in data ? data : floorWith(data, sent, change)))
    patchQueries<Pages>(client, occupantsKey, (list) => {
      const before = list.pages.flatMap(({ persons }) => persons).find(({ id }) => id === sent.record.about.id)
      const isHere = 'status' in change && before && (before.floor ?? change.floor) === (change.floor ?? before.floor)
      return {
        ...list,
        pages: list.pages.map((page) => ({
          ...page,
          counts: isHere ? moved(page.counts, before.status, change.status) : page.counts,
          persons: page.persons.map((one) => withChange(one, sent, change)),
        })),
      }
    })
  },
}

/** A refusal changes the floor's count by one. */
function floorWith(data: FloorData, sent: SentRecord, change: Change): FloorData {
  const { record } = sent
  if ('floorStatus' in change) {
    const { input } = data
    return input.floor === record.about.id ? { ...data, input: { ...input, status: change.floorStatus } } : data
  }
  const isHere = record.kind === 'refusal' && record.body.floorId === data.input.floor
  const step = 'reported' in change && isHere ? (change.reported ? 1 : -1) : 0
  return {
    ...data,
    peep: 'status' in change ? data.peep.map((one) => withChange(one, sent, { ...change })) : data.peep,
    refusal_to_evacuate: Math.max(0, data.refusal_to_evacuate + step),
  }
}
