/** @module-tag long */
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { nameOf } from '#features/log/server/head-log/kept-notes.ts'
import { sha256 } from '#features/log/server/merkle.ts'
import { listTimeline } from '#features/records/calls/records.ts'
import { inItself, runChecker, signingOf } from '#server/testing/event-log.ts'
import { bundleOfRelease } from '#server/testing/last-release.ts'
import { rewrite, type Version, type Victim, versions, victim } from './attacks.fixture.ts'

const patience = { timeout: 240_000 }
/** `node check/attacks.mjs` shows what the checker says. */
const told = (what: string, said: Record<string, readonly string[]>) => {
  if (!process.env.TELL_ATTACKS) return
  const lines = Object.entries(said).map(([how, all]) => `\n   ${how}: ${all.slice(0, 3).join(' | ')}`)
  console.log(`${what}${lines.join('')}`)
}

interface Attack {
  what: string
  attack: (of: Victim) => Promise<unknown>
  /** What the checker says after BROKEN. */
  bundle: RegExp
  /** What the check of the night says. */
  night: RegExp
}

/** What is done as the owner of the database to a log that was signed. */
const attacks: Attack[] = [
  {
    what: 'B1 sealed rows are deleted',
    attack: ({ owner }) => owner(`delete from journal where event_uid = $1 and action = 'floor_status_set'`),
    bundle: /^Entry \d+ is missing, and no entry says that it was erased\.$/,
    night: /Entry \d+ is missing/,
  },
  {
    what: 'B2 a row is marked as erased',
    attack: ({ owner }) =>
      owner(
        `update journal set after = coalesce(after, '{}') || '{"erased": true}' where event_uid = $1 and action = 'floor_status_set'`,
      ),
    bundle: /^Entry \d+ is not what was logged/,
    night: /Entry \d+ is not what was logged/,
  },
  {
    what: 'B2 packed lines are emptied',
    attack: ({ owner }) => owner(`update log_tile set lines = null where event_uid = $1 and file = 'people'`),
    bundle: /^Line 1 of people\.ndjson is missing, and no entry says that it was erased\.$/,
    night: /Line 1 of people\.ndjson is missing/,
  },
  {
    what: 'B2 the secret is emptied',
    attack: ({ owner }) => owner('update record_log set salt_secret = null where event_uid = $1'),
    bundle: /^Entry [12] is (missing, and no entry says that it was erased\.|not what was logged)/,
    night: /Entry [12] is (missing|not what was logged)/,
  },
  {
    what: 'B3 an addition is deleted',
    attack: ({ owner }) => owner('delete from record_entry where event_uid = $1'),
    bundle: /^Addition 1 is missing, and no entry says that it was erased\.$/,
    night: /Addition 1 is missing/,
  },
  {
    what: 'B4 the record is changed',
    attack: ({ owner }) =>
      owner(
        `update event_record set summary = jsonb_set(summary, '{sentences,3,text}', '"All is well."') where event_uid = $1`,
      ),
    bundle: /^record\.json does not say what was closed: sentences\/3\.$/,
    night: /The stored record does not say what was closed: sentences\/3\./,
  },
  {
    what: 'a false lines_erased stands beside, before its day',
    attack: async ({ owner }) => {
      await owner(`insert into journal (client_uid, event_uid, action, subject_type, subject_uid, after)
        select client_uid, event_uid, 'lines_erased', 'event', event_uid,
          '{"file": "people", "lines": [[1, 3]], "count": 3, "why": "event", "days": 30, "due": "2020-01-01T00:00:00.000Z"}'
        from record_log where event_uid = $1`)
      await owner(`update log_tile set lines = null where event_uid = $1 and file = 'people'`)
    },
    bundle: /^Entry \d+ erased 3 lines before they were due on \d+ \w+ \d{4}\.$/,
    night: /people\.ndjson is missing/,
  },
]

const both = versions.flatMap((version) => attacks.map((attack) => ({ ...attack, version })))
test.for(both)(
  'SEAL-01 SEAL-10 SEAL-12 $version: $what: BROKEN, with a head from outside and without, and found at night',
  patience,
  async ({ what, attack, bundle, night, version }) => {
    await using at = await victim(version)
    const whole = await at.verdicts()
    expect([whole.alone[0], whole.withHead[0], await at.night()]).toEqual([inItself, 'INTACT', []])

    await attack(at)

    const { alone, withHead } = await at.verdicts()
    const found = await at.night()
    told(`${version}: ${what}`, { alone, 'with a head': withHead, 'at night': found })
    for (const lines of [alone, withHead]) expect(lines).toEqual(['BROKEN', expect.stringMatching(bundle)])
    expect(found).toEqual([expect.stringMatching(night)])
  },
)

/** A test for each version. */
const of = (title: string, run: (at: Victim, version: Version) => Promise<void>) =>
  test.for(versions)(`${title}: %s`, patience, async (version) => {
    await using at = await victim(version)
    await run(at, version)
  })

of('SEAL-04 SEAL-13 a false lines_erased that needs no day stands with its reason in the first lines', async (at) => {
  await at.owner(`insert into journal (client_uid, event_uid, action, subject_type, subject_uid, after)
    select client_uid, event_uid, 'lines_erased', 'event', event_uid,
      '{"file": "people", "lines": [[1, 3]], "count": 3, "why": "person", "days": null, "due": null}'
    from record_log where event_uid = $1`)

  const { alone, withHead } = await at.verdicts()

  told('a false lines_erased without a day', { alone, 'with a head': withHead })
  for (const [lines, first] of [
    [alone, inItself],
    [withHead, 'INTACT'],
  ] as const)
    expect(lines.slice(0, 3)).toEqual([
      first,
      expect.any(String),
      expect.stringMatching(/^Erased: 3 lines of people, person, on .* \(entry \d+\)\.$/),
    ])
})

of('SEAL-12 B5 the record is changed in the bundle, with a manifest that fits: BROKEN at the sentence', async (at) => {
  const { alone, withHead } = await at.verdicts((members) => {
    const json = JSON.parse(`${members.get('record.json')}`)
    json.record.sentences[3].text = 'All is well.'
    members.set('record.json', Buffer.from(JSON.stringify(json)))
    const { files } = JSON.parse(`${members.get('manifest.json')}`)
    files['record.json'] = sha256(members.get('record.json') as Buffer).toString('hex')
    members.set('manifest.json', Buffer.from(JSON.stringify({ files })))
  })

  told('B5 offline, with the manifest', { alone, 'with a head': withHead })
  for (const lines of [alone, withHead])
    expect(lines).toEqual(['BROKEN', 'record.json does not say what was closed: sentences/3.'])
})

of('SEAL-06 B6 an invented row with an old transaction is on no page and in no file', async (at) => {
  await at.owner(`insert into journal (xid, client_uid, event_uid, action, subject_type, subject_uid, after)
    select xid, client_uid, event_uid, 'floor_status_set', 'floor', gen_random_uuid(), '{"status": "safe", "invented": 1}'
    from journal where event_uid = $1 and action = 'event_started'`)

  const { alone, withHead, members } = await at.verdicts()
  const { entries, left_out } = await at.manager(listTimeline, {
    params: { eventUid: at.of.eventUid },
    query: { show: 'all' },
  })
  const found = await at.night()

  told('B6 an invented row', { alone, 'with a head': withHead, 'at night': found })
  expect([alone[0], withHead[0], left_out]).toEqual([inItself, 'INTACT', 1])
  for (const [name, content] of members) expect([name, `${content}`.includes('invented')]).toEqual([name, false])
  expect(entries.length).toBeGreaterThan(0)
  expect(found).toEqual([
    expect.stringMatching(/The database holds 1 entry that is not in the log\. It is left out\.$/),
  ])
})

of('SEAL-03 B7 status, floor and role that are renamed change no word of the record', async (at, version) => {
  const textOf = (members: ReadonlyMap<string, Buffer>) => `${members.get('csv/timeline.csv')}`
  const before = await at.verdicts()
  for (const table of ['floor_status', 'floor', 'warden_role', 'site', 'building'])
    await sql`update ${sql.table(table)} set name = 'Renamed ' || code`.execute(at.server.database.owner.db)

  const { alone, withHead, members } = await at.verdicts()

  told(`${version}: B7 words renamed`, { alone, 'with a head': withHead })
  expect([alone[0], withHead[0]]).toEqual([inItself, 'INTACT'])
  for (const [name, content] of members) expect([name, `${content}`.includes('Renamed ')]).toEqual([name, false])
  expect(textOf(members).split('\n').length).toBeGreaterThanOrEqual(textOf(before.members).split('\n').length)
})

of('SEAL-09 B8 the history is rewritten in the database alone: the log says so, and is BROKEN for ever', async (at) => {
  await rewrite(at)

  const { alone, withHead } = await at.verdicts()
  const found = await at.night()

  told('B8 in the database alone', { alone, 'with a head': withHead, 'at night': found })
  const sentence =
    /does not belong to this log\.$|^The server found on .* that this log no longer continued its head \d+ /
  for (const lines of [alone, withHead]) expect(lines).toEqual(['BROKEN', expect.stringMatching(sentence)])
  expect(found).toEqual([expect.stringMatching(/This log no longer continues its head/)])
})

of('SEAL-01 B8 with the file store and the key, too: only a head from outside shows it', async (at) => {
  const { server } = at
  const { keyId } = signingOf(server).signer
  const { rows: heads } = await sql<{ n: number; epoch: string }>`select n, epoch from head_log`.execute(server.db)

  await rewrite(at)
  for (const { n, epoch } of heads) await server.app.documents.remove(nameOf({ keyId, epoch, n: Number(n) }))
  await server.database.owner.pg.query('delete from head_log')
  await at.owner('delete from record_head where event_uid = $1')
  await at.owner('update record_log set head_size = 0, head_at = null where event_uid = $1')

  const { alone, withHead } = await at.verdicts()
  told('B8 with file store and key', { alone, 'with a head': withHead })
  expect(alone[0]).toBe(inItself)
  expect(withHead).toEqual(['BROKEN', 'The given head does not belong to this log.'])
})

of('SEAL-09 the event is deleted with its log: an alarm names the head that the store has', async (at) => {
  for (const table of ['record_entry', 'record_head', 'log_tile', 'record_log', 'journal'])
    await at.owner(`delete from ${table} where event_uid = $1`)

  const found = await at.night()

  told('the event is deleted', { 'at night': found })
  expect(found).toEqual([expect.stringMatching(/Log \d* ?is not here: its head was \d+ \S{44}\.$/)])
})

test('SEAL-14 a bundle that the last release has made is checked as before', async () => {
  const { code, lines } = await runChecker(bundleOfRelease)
  told('a bundle of the last release', { alone: lines })
  expect([code, lines[0]]).toEqual([0, 'INTACT (version 1)'])
})
