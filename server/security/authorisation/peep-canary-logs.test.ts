import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { makePack } from '#features/arrival-pack/calls.ts'
import { importOrganisation } from '#features/directory/server/import.service.ts'
import { describeReport } from '#features/directory/server/import-report.ts'
import { urlOf } from '#kernel/client/client.ts'
import { moduleFlags } from '#kernel/vocabulary.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { givenFolder } from '../../testing/given-folder.ts'
import { startNode } from '../../testing/nodes.ts'
import { runCommand } from '../../testing/run-command.ts'
import { startTestServer, withKey } from '../../testing/test-server.ts'
import { calls, inputsOf } from './ask.fixture.ts'
import { fill } from './call-inputs.fixture.ts'
import { givenOnDuty } from './on-duty.fixture.ts'
import { givenAddresses } from './strange-addresses.fixture.ts'

const canary = 'PEEP-CANARY'
const patience = { timeout: 240_000 }
const header = 'person,disability,assistance,other,summary'
const plan = (person: string, summary = canary) =>
  `${header}\n${person},${canary} a,${canary} b,${canary} c,${summary}\n`

/** Reads what the database logs from now on. */
function logOf({ connection }: TestDatabase) {
  const file = join(dirname(connection.host), 'postgres.log')
  const before = readFileSync(file, 'utf8').length
  return () => readFileSync(file, 'utf8').slice(before)
}

test('T21 AMB-153 the import reports where a plan is invalid and never quotes it', patience, async () => {
  await using database = await openTestDatabase()
  using folder = givenFolder()
  const log = logOf(database)
  const reports: string[] = []
  const run = async (peeps: string, dryRun = false) => {
    folder.write('peeps.csv', peeps)
    reports.push(describeReport(await importOrganisation({ db: database.system.db, folder: folder.path, dryRun })))
  }

  await run(plan('P3'))
  await run(plan('P3', `${canary} changed`), true)
  await run(plan('P3', `${canary} changed`))
  // too long, unprintable, an unknown person's, in another column order, without a header, with an unclosed quote
  await run(plan('P3', canary.repeat(300)))
  await run(plan('P3', `${canary}\u0007`))
  await run(plan('NOBODY'))
  await run(`${header}\n${canary},P3,,,\n`)
  await run(`P3,${canary},${canary}\nP3,${canary}\n`)
  await run(`${header}\nP3,"${canary},,,\n`)
  // an error that only the database detects
  await database.owner.pg.query(`alter table peep add check (summary not like '%refused%')`)
  folder.write('peeps.csv', plan('P3', `${canary} refused`))
  const { code, stdout, stderr } = await runCommand('commands/import-main.ts', database, folder.path)

  expect(reports.filter((report) => report.includes('Nothing was written'))).toHaveLength(6)
  expect(reports.join('\n')).not.toContain(canary)
  expect(code).toBe(1)
  expect(stderr).toContain('violates check constraint')
  expect(stdout + stderr).not.toContain(canary)
  expect(log()).not.toContain(canary)
})

test('T21 PACK-02 PACK-06 PEEP-08 REC-20 no log of any level and no error quotes a plan, or the address of a page for strangers', {
  ...patience,
  tags: 'long',
}, async () => {
  await using server = await startTestServer()
  const onDutyFor = await givenOnDuty(server, () => moduleFlags)
  const { database, db } = server
  await db.deleteFrom('peep').execute()
  await db
    .insertInto('peep')
    .columns(['clientUid', 'personUid', 'summary', 'assistance'])
    .expression((eb) =>
      eb
        .selectFrom('person')
        .select((of) => ['clientUid', 'uid', of.val(canary).as('summary'), of.val(canary).as('assistance')]),
    )
    .execute()
  const log = logOf(database)
  await using node = await startNode(database, { LOG_LEVEL: 'trace', METRICS_TOKEN: 'collector' })
  const answers: { name: string; status: number; text: string }[] = []
  const ask = async (call: (typeof calls)[number], sendBody = true) => {
    const { own, token } = onDutyFor(call.policy.access === 'public' ? 'getProfile' : call.name)
    const { body, ...input } = fill(inputsOf(call), own)
    const answer = await fetch(node.url + urlOf(call, input as Parameters<typeof urlOf>[1]), {
      method: call.method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      ...(body !== undefined && call.method === 'POST' && { body: JSON.stringify(sendBody ? body : { no: body }) }),
    })
    answers.push({ name: call.name, status: answer.status, text: await answer.text() })
  }
  const reads = calls.filter(
    ({ name }) => !['createEvent', 'endEvent', 'makeEventLive', 'logout', 'rejoin'].includes(name),
  )
  const { url } = await server.callWith(onDutyFor('makePack').token)(
    makePack,
    { body: { hours: 1, plans: 'yes' } },
    withKey(),
  )
  const start = new URL(url).pathname
  const entered = await fetch(node.url + start, { method: 'POST', body: new URLSearchParams(), redirect: 'manual' })
  const own = entered.headers.get('location') as string
  const open = async (name: string, path: string, form?: Record<string, string>) => {
    const body = form && new URLSearchParams(form)
    const answer = await fetch(node.url + path, { method: body ? 'POST' : 'GET', ...(body && { body }) })
    answers.push({ name, status: answer.status, text: await answer.text() })
  }
  const openPack = () => open('readPack', own)
  // in its event no one makes a new code of the poster
  const { own: inEvent } = onDutyFor('handleReport')
  const { notice, link, poster } = await givenAddresses(server, {
    eventUid: `${inEvent.managedEvent}`,
    personUid: `${inEvent.evacuee}`,
  })
  const openReports = async () => {
    await open('readPlanNotice', notice)
    for (const path of [link, poster]) {
      await open('openReport', path)
      await open('sendReport', path, { say: 'help', words: 'Stair B' })
      await open('sendReport', path, { say: 'help', words: 'x'.repeat(101) })
    }
  }

  await openPack()
  expect(answers.at(-1)?.text).toContain(canary)
  await openReports()
  expect(answers.slice(-7).map(({ status }) => status)).toEqual([200, 200, 200, 422, 200, 200, 422])
  expect(JSON.stringify(answers.slice(-7))).not.toContain(canary)
  for (const call of reads) await ask(call)
  for (const call of reads) await ask(call, false)
  expect(answers.filter(({ text }) => text.includes(canary)).length).toBeGreaterThan(5)
  // makes the database fail on a plan and quote it
  await database.owner.pg.query(
    `create function stumble(plan text) returns text language plpgsql as $$
       begin raise exception 'stumbled over %', plan using detail = plan, hint = plan; end $$;
     alter table peep rename to peep_kept;
     create view peep as select client_uid, uid, person_uid, disability, stumble(assistance) as assistance, other,
       stumble(summary) as summary, active, created_at, updated_at, consent, consent_on, review_on, fire_service from peep_kept;
     grant select on peep to public; grant execute on function stumble to public;
     alter table self_report add check (words <> 'Stair C')`,
  )
  const whole = answers.length
  await openPack()
  expect(answers.at(-1)).toMatchObject({
    status: 500,
    text: expect.stringContaining('Something went wrong on our side.'),
  })
  for (const path of [link, poster]) await open('sendReport', path, { say: 'help', words: 'Stair C' })
  expect(answers.slice(-2).map(({ status }) => status)).toEqual([500, 500])
  for (const call of reads) await ask(call)

  const broken = answers.slice(whole)
  const failed = broken.filter(({ status }) => status === 500).length
  expect(failed).toBeGreaterThan(5)
  expect(broken.filter(({ text }) => text.includes(canary))).toEqual([])
  await expect.poll(() => node.said().split('Request failed').length - 1).toBe(failed)
  expect(node.said()).not.toContain(canary)
  expect(log()).not.toContain(canary)
  const tokens = [own, notice, link, poster].flatMap((path) => path.split('/').slice(2))
  expect(node.said()).toContain('self_report')
  expect(tokens.filter((token) => node.said().includes(token) || log().includes(token))).toEqual([])
  const metrics = await fetch(`${node.url}/metrics`, { headers: { authorization: 'Bearer collector' } })
  expect(metrics.status).toBe(200)
  expect(await metrics.text()).not.toContain(canary)
  const { rows } = await database.owner.pg.query(`select 1 from idempotency i where i::text like '%${canary}%'`)
  expect(rows).toEqual([])
})
