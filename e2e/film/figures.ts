import type { Page } from '@playwright/test'
import { expect } from '@playwright/test'
import { type Board, getBoard } from '#features/board/calls/board.ts'
import type { EventRecord } from '#features/records/calls/record.ts'
import { getRecord, listTimeline } from '#features/records/calls/records.ts'
import type { Call } from '#kernel/client/client.ts'
import type { EventUid } from '#kernel/ids.ts'

export type Figures = Awaited<ReturnType<typeof figuresOf>>

/** What the board of this moment counts. */
export async function figuresOf(manager: Call) {
  const { totals, command, instruction } = (await manager(getBoard, { query: {} })) as Board
  const { people, floors, calls, plans, refused, no_warden } = totals
  return {
    safe: people.safe,
    unknown: people.unknown,
    danger: people.danger,
    people: people.total,
    refused,
    plans,
    calls,
    cleared: floors.cleared,
    floors: floors.total,
    gaps: no_warden,
    command: command?.name ?? 'nobody',
    understood: instruction ? `${instruction.kind} ${instruction.understood}/${instruction.meant}` : '',
  }
}

/** Waits until plans and contradictions of the board are of this moment: they are up to ten seconds older than its counts. */
export async function untilWhole(manager: Call): Promise<void> {
  const { at } = (await manager(getBoard, { query: {} })) as Board
  const slowAt = async () => ((await manager(getBoard, { query: {} })) as Board).slow_at
  await expect.poll(async () => (await slowAt()) > at, { timeout: 30_000 }).toBe(true)
}

/** Waits until a board or wall shows what the server counts. */
export async function expectShown(screen: Page, { danger, unknown, safe, cleared, floors }: Figures): Promise<void> {
  const totals = screen.getByRole('region', { name: 'Totals' })
  const shown = {
    'In danger': `${danger}`,
    Unknown: `${unknown}`,
    Safe: `${safe}`,
    'Floors cleared': `${cleared} of ${floors}`,
  }
  for (const [title, count] of Object.entries(shown))
    await expect(totals.locator('.bd-total', { hasText: title }).locator('.bd-count').first()).toHaveText(count, {
      timeout: 15_000,
    })
}

/** What the film did, by action of the journal. */
export type Done = Record<string, number>

/** The record beside the last figures of the film and what it did. */
export async function compare(manager: Call, eventUid: EventUid, last: Figures, done: Done) {
  const { record } = await untilWritten(manager, eventUid)
  const { people, floors, plans, wardens, buildings } = record
  const rows = [
    ['people safe', last.safe, people.end.safe],
    ['people unknown', last.unknown, people.end.unknown],
    ['people in danger', last.danger, people.end.danger],
    ['refusals', last.refused, people.refusals],
    ['plans not safe', last.plans, plans.end.unknown + plans.end.danger],
    ['floors cleared', last.cleared, floors.clear],
    ['floors', last.floors, floors.total],
    ['buildings', 3, buildings.length],
    ['wardens reported in', done.reported_in ?? 0, wardens.reported_in],
  ] as [what: string, film: number, record: number][]
  const entries = await countEntries(manager, eventUid)
  for (const [action, count] of Object.entries(done))
    if (action !== 'reported_in') rows.push([action, count, entries[action] ?? 0])
  return rows.map(([what, film, inRecord]) => ({
    what,
    film,
    record: inRecord,
    same: film === inRecord ? 'yes' : 'NO',
  }))
}

/** The record of an event that has just ended is not found at first. */
async function untilWritten(manager: Call, eventUid: EventUid): Promise<{ record: EventRecord }> {
  let record: EventRecord | null = null
  await expect(async () => {
    record = (await manager(getRecord, { params: { eventUid } })).record
    expect(record).not.toBeNull()
  }).toPass({ timeout: 120_000 })
  return { record: record as unknown as EventRecord }
}

/** Entries of the timeline by action. */
async function countEntries(manager: Call, eventUid: EventUid): Promise<Done> {
  const counts: Done = {}
  let after: string | undefined
  do {
    const query = { show: 'all' as const, ...(after !== undefined && { after }) }
    const page = await manager(listTimeline, { params: { eventUid }, query: query as never })
    for (const { action } of page.entries) counts[action] = (counts[action] ?? 0) + 1
    after = page.next ?? undefined
  } while (after)
  return counts
}
