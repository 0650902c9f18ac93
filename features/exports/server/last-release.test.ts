/** @module-tag long */
import { expect, test } from 'vitest'
import { signHead } from '#features/log/server/heads.service.ts'
import { getRecord } from '#features/records/calls/records.ts'
import { recountOld } from '#features/records/server/recount/recount.service.ts'
import { runChecker, sealWhole, signingOf } from '#server/testing/event-log.ts'
import { bundleOfRelease, startUpgraded } from '#server/testing/last-release.ts'
import { asFile, exported } from './exports.fixture.ts'

test('SEAL-14 REC2-29 a drill of the last release, upgraded: its wrong result is counted again, its bundle is still INTACT, and one of today says where its form changes', async () => {
  await using server = await startUpgraded()
  const { of, manager, eventUid } = server
  const before = await manager(getRecord, { params: { eventUid } })
  const troubles: unknown[] = []
  await recountOld(server.database.system.db, (trouble) => troubles.push(trouble), new AbortController().signal)

  const { record, recount } = await manager(getRecord, { params: { eventUid } })
  expect([troubles, before.recount]).toEqual([[], null])
  expect(record?.sentences).toEqual(before.record?.sentences)
  expect(record?.sentences.map(({ text }) => text)).toContain(
    '33 people were to be accounted for. When it ended 3 were safe, 29 unknown and 1 in danger.',
  )
  expect(recount?.text).toMatch(
    /^Counted again on \d+ \w+ \d{4} by the rules of version 2: 34 people were to be accounted for\. .* 1 of them left the event with Tower B after 0:0\d: 0 safe, 0 unknown and 1 in danger\. /,
  )

  const of1 = await runChecker(bundleOfRelease)
  const head = /log head ((\d+) \S{44})$/m.exec(of1.lines.join('\n'))
  expect([of1.code, of1.lines[0], head]).toEqual([0, 'INTACT (version 1)', expect.anything()])
  await sealWhole(server, of)
  await signHead(signingOf(server), of)
  using today = asFile((await exported(server, manager, eventUid, 'bundle')).file, 'record.zip')
  const { code, lines } = await runChecker(today.path, '--head', head?.[1] ?? '')
  const size = Number(head?.[2])
  expect([code, ...lines.slice(0, 2)]).toEqual([
    0,
    'INTACT',
    `The first ${size} entries are those of the head you gave.`,
  ])
  expect(lines).toContainEqual(
    expect.stringMatching(
      /^Before entry \d+ this log is of version 1: 0 lines were already gone, and no entry says why\.$/,
    ),
  )
})
