import type { FloorUid, PersonUid } from '#kernel/ids.ts'
import { readSafetyStatus, type SafetyStatus } from '#kernel/vocabulary.ts'
import { floorOf, type OutboxRecord } from './core/safety-record.ts'

/** The pending changes of one person: the last status, its floor, and the intended refusal. */
export interface PendingChange {
  status?: { status: SafetyStatus; onFloor: boolean }
  floor?: FloorUid | null
  refused?: boolean
}
export type PendingByPerson = ReadonlyMap<PersonUid, PendingChange>

export function pendingByPerson(pending: readonly OutboxRecord[]): PendingByPerson {
  const people = new Map<PersonUid, PendingChange>()
  for (const record of pending) {
    if (record.kind === 'floorStatus' || record.kind === 'note') continue
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
  /** The status on screen has not reached the server. */
  isStatusPending: boolean
  isRefusalPending: boolean
}

/**
 * A row of the server with the pending changes of this phone. A row without any gives the same object each time, so that
 * its card is not redrawn.
 */
export function overlay<T extends Row>(row: T, people: PendingByPerson): Overlaid<T> {
  const pending = people.get(row.id)
  if (!pending) return untouched(row)
  const { status, floor, refused } = pending
  return {
    ...row,
    ...(status && { status: status.status, on_floor: status.onFloor }),
    ...(floor && { floor }),
    ...(refused !== undefined && { reported: refused }),
    isStatusPending: status !== undefined,
    isRefusalPending: refused !== undefined,
  }
}

const plain = new WeakMap<object, object>()

function untouched<T extends Row>(row: T): Overlaid<T> {
  const known = plain.get(row) as Overlaid<T> | undefined
  if (known) return known
  const made = { ...row, isStatusPending: false, isRefusalPending: false }
  plain.set(row, made)
  return made
}
