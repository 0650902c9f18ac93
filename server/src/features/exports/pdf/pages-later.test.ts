import type { ExportNames } from '@evac/contract/record-choices.ts'
import { expect } from 'vitest'
import { test } from '../../../testing/server-test.ts'
import { givenLate } from '../../records/late/late.fixture.ts'
import { writeRecords } from '../../records/records.fixture.ts'
import { rowsIn, sectionsFor } from './sections.fixture.ts'

test('AAR-22 the PDF lists what arrived after the end, people without names', async ({ server }) => {
  const { late, send, eventUid, org } = await givenLate(server)
  const none = await writeRecords(server).then(() => sectionsFor(server, eventUid, 'all'))
  await send([
    late(),
    late({ kind: 'floorStatus', person: undefined, status: undefined, floor_status: org.statusUids[1] }),
  ])
  const rowsOf = async (names: ExportNames) => {
    const sections = await sectionsFor(server, eventUid, names)
    const words = '2 records of phones. No state and no figure changed.'
    expect(sections.get('Arrived after the end')).toContainEqual({ kind: 'text', text: words })
    return rowsIn(sections, 'Arrived after the end').map((row) => row.slice(0, 3))
  }

  expect(none.has('Arrived after the end')).toBe(false)
  expect(await rowsOf('all')).toEqual([
    ['A person on Tower A - Ground', 'In Danger', expect.stringMatching(/^Ada .*\(Floor Warden\)$/)],
    ['Tower A - Ground', 'Evacuating', expect.stringMatching(/^Ada /)],
  ])
  expect((await rowsOf('none')).map(([, , by]) => by)).toEqual(['Floor Warden', 'Floor Warden'])
})
