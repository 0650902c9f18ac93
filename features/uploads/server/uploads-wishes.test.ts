import { expect, test } from 'vitest'
import { wishesFor } from '#features/assignments/server/deferred-changes/deferred-changes.service.ts'
import { importOrganisation } from '#features/directory/server/import.service.ts'
import { deactivatePerson } from '#features/people/calls/people.ts'
import type { PersonUid } from '#kernel/ids.ts'
import { rowsOf } from '#server/testing/import-test.ts'
import { applyUpload, getUpload } from '../calls.ts'
import { openUploading } from './uploads.fixture.ts'

type Uploading = Awaited<ReturnType<typeof openUploading>>
const people = (rows: string) => `code,first_name,last_name,floor\n${rows}`

/** Ada is on duty: that she is deactivated waits. */
async function openWaiting() {
  const at = await openUploading()
  await at.startEvent()
  await at.call(deactivatePerson, { params: { uid: await uidOf(at) } })
  return at
}

async function uidOf({ db }: Pick<Uploading, 'db'>): Promise<PersonUid> {
  const [ada] = await rowsOf<{ uid: PersonUid }>(db, "select uid from person where code = 'P1'")
  if (!ada) throw new Error('nobody')
  return ada.uid
}

const outcomes = ({ db }: Uploading) => rowsOf(db, 'select kind, outcome from waiting_change order by since')
const isActive = async ({ db }: Uploading) =>
  (await rowsOf<{ active: boolean }>(db, "select active from person where code = 'P1'"))[0]?.active

test('ORG-44 an upload that has the person drops the deactivation that waits, one without leaves it', async () => {
  await using at = await openWaiting()
  const without = await at.check({ 'people.csv': people('P3,Cleo,Chow,B1/L1\n') })
  await at.apply(without.uid)
  const before = await outcomes(at)
  const upload = await at.check({ 'people.csv': people('P1,Ada,Abara,B1/L1\n') })
  await at.apply(upload.uid)
  await at.endEvent()
  await at.wait()

  expect([before, await outcomes(at)]).toEqual([
    [{ kind: 'deactivation', outcome: null }],
    [{ kind: 'deactivation', outcome: 'dropped' }],
  ])
  expect(await isActive(at)).toBe(true)
  expect(await rowsOf(at.db, "select actor_person_uid from journal where action = 'waiting_dropped'")).toEqual([
    { actorPersonUid: at.admin.personUid },
  ])
})

test('ORG-44 the command drops it too', async () => {
  await using at = await openWaiting()
  const wishes = wishesFor(null)
  await importOrganisation({ db: at.db, folder: at.folder.path, wishes, dryRun: true })
  const before = await outcomes(at)
  await importOrganisation({ db: at.db, folder: at.folder.path, wishes })

  expect([before, await outcomes(at)]).toEqual([
    [{ kind: 'deactivation', outcome: null }],
    [{ kind: 'deactivation', outcome: 'dropped' }],
  ])
})

test('ORG-44 IMP-09 applied while the deactivation becomes due, the newer wish holds, or its difference is shown anew', async () => {
  const seen: string[] = []
  for (const isFirst of [true, false]) {
    await using at = await openWaiting()
    const { uid } = await at.check({ 'people.csv': people('P1,Ada,Abara,B1/L1\n') })
    await at.call(applyUpload, { params: { uid }, body: { ends: null } })
    await at.endEvent()

    await Promise.all(isFirst ? [at.wait(), at.work()] : [at.work(), at.wait()])
    await at.wait()

    const { state } = await at.call(getUpload, { params: { uid } })
    const [wish] = (await outcomes(at)) as { outcome: string }[]
    seen.push(`${state} ${wish?.outcome} ${await isActive(at)}`)
  }
  for (const one of seen) expect(['applied dropped true', 'checked happened false']).toContain(one)
})
