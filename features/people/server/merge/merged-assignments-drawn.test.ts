import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Assigned, mergeAssignments } from './merged-assignments.ts'

const dayAt = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10)
/** What ends before it is past. */
const [today, lastDay] = [3, 16]

const drawn = fc.record({
  from: fc.nat({ max: 8 }),
  days: fc.nat({ max: 6 }),
  status: fc.constantFrom('Offered', 'Accepted', 'Declined', 'Withdrawn'),
  places: fc.subarray(['f0', 'f1', 'f2'], { minLength: 1 }),
})

/** Of one role and site, in the order of their days. */
const ofPerson = (personUid: string) =>
  fc.uniqueArray(drawn, { maxLength: 5, selector: ({ from }) => from }).map((all) =>
    all.map(
      ({ from, days, status, places }): Assigned => ({
        uid: `${personUid} ${from}`,
        personUid,
        roleUid: 'r',
        siteUid: 's',
        role: 'R',
        site: 'S',
        status,
        places,
        dateFrom: dayAt(from),
        dateTo: dayAt(from + days),
        isPast: from + days < today,
      }),
    ),
  )
const ofBoth = fc
  .tuple(ofPerson('stays'), ofPerson('goes'))
  .map((both) => both.flat().sort((a, b) => a.dateFrom.localeCompare(b.dateFrom)))

const placesOn = (day: string, rows: readonly Assigned[], status: Assigned['status']) => {
  const counts = rows.filter((row) => row.status === status && row.dateFrom <= day && row.dateTo >= day)
  return [...new Set(counts.flatMap(({ places }) => places))].sort()
}
const comingDays = Array.from({ length: lastDay - today }, (_, n) => dayAt(today + n))

test('PPL-93 whatever both have: each assignment remains, and no two of one person begin on one day', () => {
  fc.assert(
    fc.property(ofBoth, (before) => {
      const after = mergeAssignments(before, 'stays', 'goes')
      expect(after.map(({ uid }) => uid).sort()).toEqual(before.map(({ uid }) => uid).sort())
      if (after.some(({ isLost }) => isLost)) return
      const firstDays = after.map(({ personUid, dateFrom }) => `${personUid} ${dateFrom}`)
      expect(firstDays).toEqual([...new Set(firstDays)])
      for (const { dateFrom, dateTo } of after) expect(dateFrom <= dateTo).toBe(true)
    }),
    { numRuns: 3000 },
  )
})

test('PPL-93 whatever both have: on each day the same floors are accepted, and offers wait only behind an acceptance', () => {
  fc.assert(
    fc.property(ofBoth, (before) => {
      const after = mergeAssignments(before, 'stays', 'goes')
      if (after.some(({ isLost }) => isLost)) return
      const own = after.filter(({ personUid }) => personUid === 'stays')
      for (const day of comingDays) {
        const accepted = placesOn(day, own, 'Accepted')
        expect(accepted).toEqual(placesOn(day, before, 'Accepted'))
        const [was, is] = [placesOn(day, before, 'Offered'), placesOn(day, own, 'Offered')]
        expect(was).toEqual(expect.arrayContaining(is))
        const lost = was.filter((place) => !is.includes(place) && !accepted.includes(place))
        if (lost.length > 0) expect(own.some((a) => a.status === 'Accepted' && a.dateFrom === day)).toBe(true)
      }
    }),
    { numRuns: 1000 },
  )
})
