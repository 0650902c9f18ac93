import type { Occupant, PeepPerson } from '#features/evacuation/calls/evacuation.ts'
import { readSafetyStatus } from '#kernel/vocabulary.ts'

const pageSize = 20

/** The people a fake server knows: found by name, changed as another warden would, recorded as the server does. */
export function knownPeople<Person extends Occupant | PeepPerson>(people: readonly Person[]) {
  const all = [...people]
  const change = (id: Person['id'], patch: Partial<Person>) => {
    const at = all.findIndex((person) => person.id === id)
    const person = all[at]
    if (person) all[at] = { ...person, ...patch }
  }
  return {
    all: all as readonly Person[],
    change,
    named: (text: string) => all.filter(({ name }) => name.toLowerCase().includes(text.toLowerCase())),
    /** Takes a status in the words of a call, and answers as the server. */
    record(id: Person['id'], sent: string, also: Partial<Person> = {}) {
      const { status = 'unknown', onFloor = false } = readSafetyStatus(sent) ?? {}
      change(id, { status, on_floor: onFloor, ...also })
      return { status: 'success' as const, person: { id, status, on_floor: onFloor }, superseded: false }
    },
  }
}

/** Twenty rows of a list, from page 1 up. `urlOf` gives the address of a page. */
export function pageOf<Row>(list: readonly Row[], page: number, urlOf: (page: number) => string) {
  const from = (page - 1) * pageSize
  return {
    rows: list.slice(from, from + pageSize),
    pagination: {
      next_page_url: list.length > from + pageSize ? urlOf(page + 1) : null,
      total: list.length,
      from: list.length ? from + 1 : 0,
      current_page: page,
      total_pages: Math.ceil(list.length / pageSize),
    },
  }
}
