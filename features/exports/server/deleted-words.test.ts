/** @module-tag long */
import { expect } from 'vitest'
import { forget } from '#features/operation/server/retention/retention.service.ts'
import { listTimeline } from '#features/records/calls/records.ts'
import { givenDrilled, writeRecords } from '#features/records/server/records.fixture.ts'
import { dateBack, inItself, runChecker, sealWhole } from '#server/testing/event-log.ts'
import { test } from '#server/testing/server-test.ts'
import { asFile, exported, unzip } from './exports.fixture.ts'
import { rowsIn, sectionsFor } from './pdf/sections.fixture.ts'

const words = 'Leave by the north stairs.'
const patience = { timeout: 60_000 }

test(
  'AAR-20 SEAL-04 words of messages that were deleted stand in no timeline, PDF, spreadsheet or bundle, and the bundle is INTACT',
  patience,
  async ({ server }) => {
    const { start, end, org, manager } = await givenDrilled(server)
    const eventUid = await start({ broadcastMessage: 'yes', message: words })
    await end()
    await dateBack(server, { eventUid }, 31)
    await writeRecords(server)
    await sealWhole(server, { clientUid: org.clientUid, eventUid })
    const readTimeline = () => manager(listTimeline, { params: { eventUid }, query: {} })
    const shown = async () => {
      const bundle = (await exported(server, manager, eventUid, 'bundle', 'all')).file
      const files = await unzip(bundle)
      files.delete('record.pdf')
      const csv = await unzip((await exported(server, manager, eventUid, 'csv', 'all')).file)
      const pages = await sectionsFor(server, eventUid, 'all')
      const texts = [await readTimeline(), [...pages], ...[...files.values(), ...csv.values()].map(String)]
      return { bundle, pages, texts: texts.map((text) => JSON.stringify(text)), csv: `${csv.get('timeline.csv')}` }
    }
    expect((await shown()).texts.filter((text) => text.includes(words)).length).toBeGreaterThan(4)
    await forget(server.database.system, { messages: 30, events: undefined, audit: undefined, peeps: undefined })

    const { bundle, pages, texts, csv } = await shown()
    for (const text of texts) expect(text).not.toContain(words)
    const deleted = /text deleted on \d\d \w+ \d{4}$/
    const [first] = (await readTimeline()).entries
    expect(first?.what).toMatch(deleted)
    expect(csv).toMatch(/Started the event: text deleted on \d\d \w+ \d{4}/)
    expect(rowsIn(pages, 'Decisions')[0]?.at(-1)).toMatch(deleted)
    expect(rowsIn(pages, 'Event').find(([fact]) => fact === 'Message')?.[1]).toMatch(deleted)
    using file = asFile(bundle, 'record.zip')
    expect(await runChecker(file.path)).toMatchObject({ code: 0, lines: expect.arrayContaining([inItself]) })
  },
)
