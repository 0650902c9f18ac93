/** An assignment of one of two people who become one. Places are `b` and the uid of a building, or `f` and that of a floor. */
export interface Assigned {
  uid: string
  personUid: string
  roleUid: string
  siteUid: string
  /** Their names. */
  role: string
  site: string
  /** YYYY-MM-DD, both included. */
  dateFrom: string
  dateTo: string
  status: 'Offered' | 'Accepted' | 'Declined' | 'Withdrawn'
  /** Its last day has passed in every zone. */
  isPast: boolean
  /** None for a role of the whole site. */
  places: readonly string[]
}

/** An assignment as it is from now on. `absentAs`: days away of these others count for it, too. */
export interface Settled extends Assigned {
  absentAs?: readonly string[]
  /** An open offer for which there is no day left, with places that the acceptance beside it does not have. */
  isLost?: true
}

const isOpen = ({ status, isPast }: Assigned) => (status === 'Offered' || status === 'Accepted') && !isPast
const isSame = (one: Assigned, other: Assigned) =>
  one.roleUid === other.roleUid && one.siteUid === other.siteUid && one.dateFrom === other.dateFrom
const covers = (one: Assigned, other: Assigned) => other.places.every((place) => one.places.includes(place))

function dayBeside(day: string, days: 1 | -1): string {
  const date = new Date(`${day}T00:00:00Z`)
  date.setUTCDate(date.getUTCDate() + days)
  return date.toISOString().slice(0, 10)
}
const dayAfter = (day: string) => dayBeside(day, 1)

/**
 * What becomes of the assignments of both: open ones of who goes pass over, and no floor that either has accepted, or
 * was offered, is lost on any day. A person has one assignment of a role, site and first day. Of two accepted, or
 * two offered, the places unite while both last; the longer one goes on alone after that. An offer beside an acceptance
 * starts on a later day. What is answered with no, or past, gives way and stays with who goes. None of it counts any more:
 * where who goes has one of that first day, it starts on the nearest free day before.
 */
export function mergeAssignments(both: readonly Assigned[], stays: string, goes: string): Settled[] {
  const own: Settled[] = both.filter(({ personUid }) => personUid === stays).map((held) => ({ ...held }))
  const left: Settled[] = both.filter((held) => held.personUid === goes && !isOpen(held))
  const leave = (over: Settled): void => {
    const free = { ...over, personUid: goes }
    while (left.some((held) => isSame(held, free))) free.dateFrom = dayBeside(free.dateFrom, -1)
    left.push(free)
  }
  const place = (coming: Settled): void => {
    const standing = own.find((held) => isSame(held, coming))
    if (standing) own.splice(own.indexOf(standing), 1)
    const { now, again, over } = standing
      ? settle(standing, coming)
      : { now: coming, again: undefined, over: undefined }
    own.push({ ...now, personUid: stays })
    if (over) leave(over)
    if (again) place(again)
  }
  for (const held of both) if (held.personUid === goes && isOpen(held)) place({ ...held })
  return [...own, ...left]
}

interface Outcome {
  now: Settled
  /** Is placed anew, on a later first day. */
  again?: Settled | undefined
  /** Stays with who goes. */
  over?: Settled | undefined
}

function settle(standing: Settled, coming: Settled): Outcome {
  if (!isOpen(standing)) return { now: coming, over: standing }
  if (standing.status === coming.status) return unite(standing, coming)
  const [accepted, offered] = standing.status === 'Accepted' ? [standing, coming] : [coming, standing]
  const later = { ...offered, dateFrom: dayAfter(covers(accepted, offered) ? accepted.dateTo : offered.dateFrom) }
  if (later.dateFrom <= later.dateTo) return { now: accepted, again: later }
  return { now: accepted, over: covers(accepted, offered) ? offered : { ...offered, isLost: true } }
}

function unite(standing: Settled, coming: Settled): Outcome {
  const [shorter, longer] = standing.dateTo <= coming.dateTo ? [standing, coming] : [coming, standing]
  const places = [...new Set([...standing.places, ...coming.places])]
  const absentAs = [...(standing.absentAs ?? []), ...(coming.absentAs ?? [])]
  const now = { ...standing, places, absentAs: [...absentAs, coming.uid] }
  if (covers(longer, shorter)) return { now: { ...now, dateTo: longer.dateTo }, over: coming }
  if (shorter.dateTo === longer.dateTo) return { now, over: coming }
  const rest = { ...coming, dateFrom: dayAfter(shorter.dateTo), dateTo: longer.dateTo, places: longer.places }
  return { now: { ...now, dateTo: shorter.dateTo }, again: { ...rest, absentAs: [...absentAs, standing.uid] } }
}
