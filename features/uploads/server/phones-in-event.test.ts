import { afterAll, beforeAll, expect, test } from 'vitest'
import { changeRole, listRoles, offerRole, withdrawAssignment } from '#features/assignments/calls/wardens.ts'
import { addTemplate, changeFloorStatus, listFloorStatuses } from '#features/organisation/calls/lists.ts'
import { savePlan } from '#features/peeps/calls/plans.ts'
import { addPerson, changePerson, deactivatePerson, getPerson } from '#features/people/calls/people.ts'
import { addFloors, changePlace, listPlaces } from '#features/places/calls.ts'
import type { GivenInput } from '#kernel/route.ts'
import { withKey } from '#server/testing/test-server.ts'
import { type Event, held, openEvent } from './phones-in-event.fixture.ts'

const changeOf = async (
  { call, uidOf }: Event,
  code: string,
  fields: Partial<GivenInput<typeof changePerson>['body']>,
) => {
  const uid = await uidOf('person', code)
  const { version } = await call(getPerson, { params: { uid } })
  await call(changePerson, { params: { uid }, body: { version, ...fields } }, withKey())
}

const rename = async ({ call, uidOf }: Event, kind: 'site' | 'building' | 'floor', code: string) => {
  const read = await call(listPlaces, { query: { site: await uidOf('site', 'S1') } })
  const place = read[`${kind}s`].find((one) => one.code === code)
  if (!place) throw new Error(`no ${code}`)
  const { uid, version } = place
  await call(changePlace, { params: { uid }, body: { version, name: 'Renamed', code } }, withKey())
}

interface Row {
  what: string
  topics: string[]
  form: (at: Event) => Promise<unknown>
  /** Of the first door that brings files, and of the second. */
  files: [Record<string, string>, Record<string, string>]
}
const file = (name: string, header: string, ...rows: [string, string]): Row['files'] =>
  rows.map((row) => ({ [`${name}.csv`]: `${header}\n${row}\n` })) as Row['files']
const people = (...rows: [string, string]) => file('people', 'code,first_name,last_name,floor,kind,active', ...rows)

const rows: Row[] = [
  {
    what: 'the name of an occupant',
    topics: ['evacuee'],
    form: (at) => changeOf(at, 'P3', { first_name: 'Cleo' }),
    files: people('P3,Clio,Long,B1/L1,staff,yes', 'P3,Klio,Long,B1/L1,staff,yes'),
  },
  {
    what: 'the e-mail of a warden',
    topics: ['attendance'],
    form: (at) => changeOf(at, 'P2', { email: 'b@small.test' }),
    files: file(
      'people',
      'code,first_name,last_name,email,floor',
      'P2,P2,Long,c@small.test,B1/L1',
      'P2,P2,Long,d@small.test,B1/L1',
    ),
  },
  {
    what: 'the mobile of an occupant',
    topics: ['evacuee'],
    form: (at) => changeOf(at, 'P6', { mobile: '0491 000 777' }),
    files: file(
      'people',
      'code,first_name,last_name,mobile,floor',
      'P6,P6,Long,0491 000 778,B1/L1',
      'P6,P6,Long,0491 000 779,B1/L1',
    ),
  },
  {
    what: 'the floor of a person',
    topics: [],
    form: async (at) => changeOf(at, 'P6', { place: await at.uidOf('floor', 'G') }),
    files: people('P4,P4,Long,B1/G,staff,yes', 'P5,P5,Long,B1/G,staff,yes'),
  },
  {
    what: 'new staff',
    topics: [],
    form: ({ call }) =>
      call(addPerson, { body: { first_name: 'New', last_name: 'Staff', kind: 'staff' } as never }, withKey()),
    files: people('N1,New,Long,B1/G,staff,yes', 'N2,New,Long,B1/G,staff,yes'),
  },
  {
    what: 'a new floor',
    topics: [],
    form: async ({ call, uidOf }) =>
      call(
        addFloors,
        {
          body: { building: await uidOf('building', 'B1'), kind: 'floor', floors: [{ name: 'Level 7' }] } as never,
        },
        withKey(),
      ),
    files: file('floors', 'building,code,name,level,kind', 'B1,L8,Level 8,8,floor', 'B1,L9,Level 9,9,floor'),
  },
  {
    what: 'a visitor of today',
    topics: ['evacuee'],
    form: async ({ call, uidOf }) =>
      call(
        addPerson,
        {
          body: {
            first_name: 'A',
            last_name: 'Visitor',
            kind: 'visitor',
            place: await uidOf('floor', 'L1'),
            visit_date: 'today',
          } as never,
        },
        withKey(),
      ),
    files: file(
      'people',
      'code,first_name,last_name,floor,kind,visit_date',
      'V1,Vera,Vos,B1/L1,visitor,today',
      'V2,Vera,Vos,B1/L1,visitor,today',
    ),
  },
  {
    what: 'a plan changed and ended',
    topics: ['evacuee'],
    form: async ({ call, uidOf, value }) =>
      call(
        savePlan,
        {
          params: { personUid: await uidOf('person', 'P3') },
          body: {
            version: await value('select uid as value from peep where active'),
            assistance: 'Two helpers',
            disability: '',
            other: '',
            summary: 'Helpers',
            consent: 'person',
            consent_on: '2026-01-31',
            review_on: 'today+30',
          },
        },
        withKey(),
      ),
    files: file('peeps', 'person,disability,assistance,other,summary', 'P3,,Three helpers,,Helpers', 'P3,,,,'),
  },
  {
    what: 'an occupant out of use',
    topics: ['attendance', 'evacuee'],
    form: async ({ call, uidOf }) =>
      call(deactivatePerson, { params: { uid: await uidOf('person', 'O1') } }, withKey()),
    files: people('O2,O2,Long,B1/L1,staff,no', 'O3,O3,Long,B1/L1,staff,no'),
  },
  {
    what: 'a warden not on duty out of use',
    topics: ['attendance', 'evacuee'],
    form: async ({ call, uidOf }) =>
      call(deactivatePerson, { params: { uid: await uidOf('person', 'W1') } }, withKey()),
    files: people('W2,W2,Long,B1/L1,staff,no', 'W3,W3,Long,B1/L1,staff,no'),
  },
  {
    what: 'an assignment accepted',
    topics: ['attendance', 'evacuee'],
    form: async ({ call, uidOf }) =>
      call(
        offerRole,
        {
          body: {
            people: [await uidOf('person', 'J1')],
            role: await uidOf('warden_role', 'FLOOR'),
            site: await uidOf('site', 'S1'),
            places: [await uidOf('floor', 'G')],
            from: '2020-01-01',
            to: '2099-12-31',
            accepted: true,
            tell: false,
          },
        },
        withKey(),
      ),
    files: file(
      'assignments',
      'person,role,site,locations,date_from,date_to,status',
      `J2,FLOOR,S1,B1/G,${held},Accepted`,
      `J3,FLOOR,S1,B1/G,${held},Accepted`,
    ),
  },
  {
    what: 'an assignment ended',
    topics: ['attendance', 'evacuee'],
    form: async ({ call, value }) =>
      call(
        withdrawAssignment,
        {
          params: {
            uid: await value(
              "select a.uid as value from warden_assignment a join person p on p.uid = a.person_uid where p.code = 'X1'",
            ),
          },
          body: { reason: 'Moved' },
        },
        withKey(),
      ),
    files: file(
      'assignments',
      'person,role,site,locations,date_from,date_to,status',
      `X2,FLOOR,S1,B1/L1,${held},Withdrawn`,
      `X3,FLOOR,S1,B1/L1,${held},Withdrawn`,
    ),
  },
  {
    what: 'a site renamed',
    topics: ['floor'],
    form: (at) => rename(at, 'site', 'S1'),
    files: [{}, { 'sites.csv': 'code,name,timezone\nS1,Third Site,Australia/Sydney\n' }],
  },
  {
    what: 'a building renamed',
    topics: ['floor'],
    form: (at) => rename(at, 'building', 'B1'),
    files: file('buildings', 'site,code,name', 'S1,B1,South House', 'S1,B1,East House'),
  },
  {
    what: 'a floor renamed or ordered',
    topics: ['floor'],
    form: (at) => rename(at, 'floor', 'L1'),
    files: file('floors', 'building,code,name,level,kind', 'B1,L1,Level 1,2,floor', 'B1,L1,Level 1,3,floor'),
  },
  {
    what: 'a status renamed, ordered or coloured',
    topics: ['floor'],
    form: async ({ call }) => {
      const [row] = (await call(listFloorStatuses, { query: {} })).rows
      if (!row) throw new Error('no status')
      const { uid, version, colour } = row
      await call(
        changeFloorStatus,
        { params: { uid }, body: { version, name: 'Untouched', colour, in_use: true } },
        withKey(),
      )
    },
    files: file(
      'floor_statuses',
      'code,name,colour,display_order,in_use',
      'NS,Untouched,red,1,yes',
      'OK,Clear,green,2,yes',
    ),
  },
  {
    what: 'modules added to a role',
    topics: [],
    form: async ({ call }) => {
      const role = (await call(listRoles, {})).rows.find(({ name }) => name === 'Floor Warden')
      if (!role) throw new Error('no role')
      const { uid, version, name, domain } = role
      const modules = ['Floor_Evacuation', 'My_Messages'] as const
      await call(
        changeRole,
        { params: { uid }, body: { version, name, domain, modules: [...modules], in_use: true } as never },
        withKey(),
      )
    },
    files: [
      {},
      {
        'roles.csv':
          'code,name,area_domain,modules\nFLOOR,Floor Warden,Floor,Floor_Evacuation My_Messages Warden_Messaging\n',
      },
    ],
  },
  {
    what: 'a template',
    topics: [],
    form: ({ call }) =>
      call(addTemplate, { body: { kind: 'Warden', text: 'Where?', coded_answer: false, in_use: true } }, withKey()),
    files: file(
      'templates',
      'code,type,text,automated_response',
      'E1,Evacuee,Are you all right?,1',
      'E2,Evacuee,Wait there.,0',
    ),
  },
]

let at: Event
beforeAll(async () => {
  at = await openEvent()
})
afterAll(() => at[Symbol.asyncDispose]())

test.for(rows)('ORG-41 phones of a running event hear of $what, by form, upload and command', async (row) => {
  const [uploaded, commanded] = row.files
  const expected = row.topics.length > 0 ? expect.arrayContaining(row.topics) : []

  expect(await at.told(() => row.form(at))).toEqual(expected)
  if (Object.keys(uploaded).length > 0) expect(await at.told(() => at.upload(uploaded))).toEqual(expected)
  expect(await at.told(() => at.command(commanded))).toEqual(expected)
})
