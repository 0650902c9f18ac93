import type { FloorUid, PersonUid } from '@evac/contract/ids.ts'
import { readSafetyStatus, type SafetyStatus } from '@evac/contract/vocabulary.ts'
import { floorOf, type OutboxRecord } from './core/record.ts'

/** What waits for one person: the last status tapped, on which floor, and whether the refusal is meant to change. */
export interface Waiting {
  status?: { status: SafetyStatus; onFloor: boolean }
  floor?: FloorUid | null
  refused?: boolean
}
export type WaitingByPerson = ReadonlyMap<PersonUid, Waiting>

export function waitingByPerson(waiting: readonly OutboxRecord[]): WaitingByPerson {
  const people = new Map<PersonUid, Waiting>()
  for (const record of waiting) {
    const person = people.get(record.about.id) ?? {}
    people.set(record.about.id, person)
    if (record.kind === 'refusal') person.refused = record.wish
    else {
      person.status = readSafetyStatus(record.body.status) ?? person.status
      person.floor = floorOf(record) ?? person.floor
    }
  }
  return people
}

interface Row {
  id: PersonUid
  status: SafetyStatus
  on_floor?: boolean
  reported?: boolean
}
export type Overlaid<T> = T & {
  /** The status shown has not reached the server. */
  statusWaits: boolean
  refusalWaits: boolean
}

/**
 * A row of the server with what waits on this phone laid over it. An untouched row gives the same object each time, so
 * that its card is not drawn again.
 */
export function overlay<T extends Row>(row: T, people: WaitingByPerson): Overlaid<T> {
  const waiting = people.get(row.id)
  if (!waiting) return untouched(row)
  const { status, floor, refused } = waiting
  return {
    ...row,
    ...(status && { status: status.status, on_floor: status.onFloor }),
    ...(floor && { floor }),
    ...(refused !== undefined && { reported: refused }),
    statusWaits: status !== undefined,
    refusalWaits: refused !== undefined,
  }
}

const plain = new WeakMap<object, object>()

function untouched<T extends Row>(row: T): Overlaid<T> {
  const known = plain.get(row) as Overlaid<T> | undefined
  if (known) return known
  const made = { ...row, statusWaits: false, refusalWaits: false }
  plain.set(row, made)
  return made
}
