import { type Evidence, Inquiry, type Verdict } from './verdict.ts'

/** I3: no site has two events at a time, and in the end no building is in two. */
export function oneEventPerSite({ state }: Evidence): Verdict {
  const inquiry = new Inquiry('I3', 'at most one active event per site and building')
  for (const events of Map.groupBy(state.events, ({ siteUid }) => siteUid).values()) {
    const inOrder = events.toSorted((a, b) => a.startedAt - b.startedAt)
    inOrder.forEach((event, at) => {
      const before = inOrder[at - 1]
      const isApart = !before || (before.endedAt !== null && before.endedAt <= event.startedAt)
      inquiry.check(isApart, `an event began while another ran at the same site`, event.uid)
    })
  }
  const running = new Set(state.events.filter(({ endedAt }) => endedAt === null).map(({ uid }) => uid))
  const taken = state.eventBuildings.filter(({ eventUid, active }) => active && running.has(eventUid))
  for (const [building, rows] of Map.groupBy(taken, ({ buildingUid }) => buildingUid))
    inquiry.check(rows.length === 1, `a building is in ${rows.length} events`, building)
  for (const { eventUid, active } of state.eventBuildings)
    inquiry.check(!active || running.has(eventUid), 'an event is over and still holds a building', eventUid)
  return inquiry.verdict
}

/** I6: no answer or publication shows an id of another organisation. */
export function nothingForeign({ history, state }: Evidence): Verdict {
  const inquiry = new Inquiry('I6', 'no answer and no publication held an id of another organisation')
  for (const [organisation, ids] of history.shown) {
    const own = state.clients[organisation]
    for (const id of ids) {
      const owner = state.owners.get(id)
      inquiry.check(
        owner === undefined || owner === own,
        `${organisation} was shown something of another organisation`,
        id,
      )
    }
  }
  return inquiry.verdict
}

/** R, which is not one of the invariants: the product serves again in time after each fault. */
export function recoversInTime({ history }: Evidence): Verdict {
  const inquiry = new Inquiry('R', 'after each fault the product served again within its time')
  for (const { kind, recoveredIn, recoveryLimit, lastPart } of history.faults) {
    const took = recoveredIn === null ? 'never' : `after ${(recoveredIn / 1000).toFixed(1)} s`
    inquiry.check(
      recoveredIn !== null && recoveredIn <= recoveryLimit,
      `after "${kind}" it served again ${took} (last: ${lastPart})`,
    )
  }
  return inquiry.verdict
}
