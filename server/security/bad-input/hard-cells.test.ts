import { expect, test } from 'vitest'
import type { Column } from '#features/directory/column-kinds.ts'
import { columns, type DirectoryFile } from '#features/directory/columns.ts'
import { examplesOf } from '#features/directory/server/files/column-examples.fixture.ts'
import { directoryFiles } from '#features/directory/server/files/directory-files.ts'
import { exportTables } from '#features/directory/server/tables/export.service.ts'
import { dropUpload, listUploadProblems } from '#features/uploads/calls.ts'
import { openUploading } from '#features/uploads/server/uploads.fixture.ts'
import type { ClientUid } from '#kernel/ids.ts'
import { rowsOf } from '../../testing/import-test.ts'
import { ask, bearer, consoleCalls, inputsOf } from '../authorisation/ask.fixture.ts'
import { fill } from '../authorisation/call-inputs.fixture.ts'
import { hardText } from './hard-values.fixture.ts'
import { Random } from './random.fixture.ts'

/** `npm run test:fuzz` tries more, under a seed of its own. */
const perColumn = process.env.FUZZ_REQUESTS ? 40 : 4
const seed = Number(process.env.FUZZ_SEED ?? 1)

/** Cells that mean something beside others, and names that no two rows share. */
const given: Partial<Record<DirectoryFile, (n: number) => Record<string, string>>> = {
  organisation: () => ({ code: 'SMALL', name: 'Small Ltd' }),
  sites: (n) => ({ code: `H${n}`, name: `Site ${n}` }),
  buildings: (n) => ({ site: 'S1', code: `H${n}`, name: `House ${n}` }),
  floors: (n) => ({ building: 'B1', code: `H${n}`, name: `Floor ${n}`, level: `${n + 2}` }),
  roles: (n) => ({ code: `H${n}`, name: `Role ${n}`, area_domain: 'Site' }),
  people: (n) => ({
    ...{
      active: 'yes',
      code: `H${n}`,
      first_name: 'Kim',
      last_name: `Lee ${n}`,
      email: `h${n}@small.test`,
      username: `user${n}`,
    },
    mobile: '',
    password: '',
    floor: 'B1/G',
    kind: 'staff',
    visit_date: '',
    is_client_master: 'no',
  }),
  groups: (n) => ({ code: `H${n}`, name: `Group ${n}` }),
  groupMembers: (n) => ({ group: 'T1', person: `H${n}` }),
  peeps: (n) => ({ person: `H${n}`, consent_on: '2026-01-31', review_on: '2026-02-28' }),
  assignments: (n) => ({
    person: `H${n}`,
    role: 'CHIEF',
    site: 'S1',
    locations: '',
    status: 'Offered',
    date_from: '2026-01-01',
    date_to: '2099-06-30',
  }),
  eventTypes: (n) => ({ code: `H${n}`, type: `Type ${n}` }),
  floorStatuses: (n) => ({ code: `H${n}`, name: `Status ${n}` }),
  checklist: (n) => ({ code: `H${n}`, text: `Item ${n}?`, active: 'no' }),
  templates: (n) => ({ code: `H${n}`, text: `Text ${n}` }),
  documents: (n) => ({
    code: `H${n}`,
    name: `Plan ${n}`,
    url: 'https://example.com/plan.pdf',
    file: '',
    site: 'S1',
    role: '',
    person: '',
  }),
}
/** The last row of people is good. */
const someone = `H${(directoryFiles.people.columns.length - 1) * perColumn}`
const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`

/** A row for each column and hard cell, good but for that. */
function tableOf(name: DirectoryFile, random: Random): string {
  const table: Record<string, Column> = columns[name]
  // passwords are not uploaded
  const header = directoryFiles[name].columns.filter((column) => column !== 'password')
  const rows = header.flatMap((column, at) =>
    Array.from({ length: perColumn }, (_, nth) => {
      const cells: Record<string, string> = given[name]?.(at * perColumn + nth) ?? {}
      const kind = table[column]?.kind
      const hard = hardText(random, kind === 'date' ? { format: 'date' } : { maxLength: 90 })
      return header.map((one) => (one === column ? hard : (cells[one] ?? examplesOf(table[one] as Column)?.[0] ?? '')))
    }),
  )
  const plain: Record<string, string> = {
    ...given[name]?.(rows.length),
    ...(name !== 'people' && 'person' in table && { person: someone }),
  }
  rows.push(header.map((one) => plain[one] ?? examplesOf(table[one] as Column)?.[0] ?? ''))
  return [header, ...rows].map((row) => `${row.map(quoted).join()}\r\n`).join('')
}

test(`IMP-53 API-72 hard cells under seed ${seed}: none stops its file, and what is stored is exported as it reads`, {
  timeout: 60_000 + perColumn * 20_000,
}, async () => {
  await using at = await openUploading({ 'groups.csv': 'code,name\nT1,Tenants\n' })
  const random = new Random(seed)
  const [client] = await rowsOf<{ uid: ClientUid }>(at.db, 'select uid from client')
  const wrong: string[] = []
  let stored = 0
  for (const [name, { file }] of Object.entries(directoryFiles) as [DirectoryFile, { file: string }][]) {
    if (name === 'organisation') continue
    const upload = await at.check({ [file]: tableOf(name, random) })
    const { problems } = await at.call(listUploadProblems, { params: { uid: upload.uid } })
    if (upload.state !== 'checked' || upload.good_rows === 0)
      wrong.push(`${file}: ${upload.state} ${JSON.stringify(problems.slice(-8)).slice(0, 2000)}`)
    if (!upload.may_apply) continue
    const applied = await at.apply(upload.uid, null, at.call, upload.bad_rows)
    if (applied.state !== 'applied') wrong.push(`${file}: ${JSON.stringify(applied).slice(0, 600)}`)
    stored += applied.added
    const { files } = await exportTables(at.db, client?.uid as ClientUid, {
      plans: true,
      people: null,
      assignments: null,
    })
    const again = await at.check(Object.fromEntries(files.map((one) => [one.name, [...one.lines()].join('')])))
    if (again.problems + again.added + again.changed + again.ended > 0) {
      const { problems: found } = await at.call(listUploadProblems, { params: { uid: again.uid } })
      wrong.push(`${file} again: ${JSON.stringify([found, await at.changes(again.uid)]).slice(0, 3000)}`)
    }
    await at.call(dropUpload, { params: { uid: again.uid } })
  }
  const troubles = at.troubles.map((trouble) => (trouble as Error).stack)
  for (const call of consoleCalls.filter(({ method, path }) => method === 'GET' && !path.includes(':'))) {
    const { status, text } = await ask(
      at.server,
      call,
      fill(inputsOf(call), new Proxy({}, { get: () => '' }) as never),
      bearer(at.call.token),
    )
    if (status >= 500) wrong.push(`${call.name}: ${text.slice(0, 300)}`)
  }

  expect([...wrong, ...troubles]).toEqual([])
  expect(stored).toBeGreaterThan(50)
})
