import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { PersonUid } from '#kernel/ids.ts'
import { meQuery } from '#web/console/me.data.ts'
import { fullName } from '#web/console/names.ts'
import { PageFrame } from '#web/console/page-frame.tsx'
import { toastDone } from '#web/console/toast-done.ts'
import { formatDateRange } from '#web/lib/time/dates.ts'
import { navigate } from '#web/pages/navigate.ts'
import { WhenRead } from '#web/ui/when-read.tsx'
import { GroupsPanel } from './groups-panel.tsx'
import { HistoryPanel } from './history-panel.tsx'
import { MorePanel } from './more-panel.tsx'
import { Panel } from './panel.tsx'
import { changePerson, type Person, personQuery } from './people.data.ts'
import { changesOf, PersonForm, type PersonValues, valuesOf } from './person-form.tsx'
import { PlanPanel } from './plan-panel.tsx'
import { SignInPanel } from './sign-in-panel.tsx'

/** A person, with how they sign in, their assignments and groups. */
export function PersonPage({ uid }: { uid: PersonUid }) {
  const read = useQuery(personQuery(uid))
  const person = read.data
  return (
    <PageFrame
      title={person ? fullName(person) : 'Person'}
      purpose={person?.active === false ? inactiveWords(person) : 'Who they are, and where.'}
      isBelow
    >
      <WhenRead read={read} parts={['field', 'field', 'field']}>
        {(known) => (
          <div className="console-sides">
            <Facts key={known.uid} person={known} />
            <div className="grid content-start gap-4">
              <SignInPanel person={known} />
              <Assignments person={known} />
              <GroupsPanel person={known} />
              <PlanPanel person={known} />
              <HistoryPanel uid={known.uid} />
              <MorePanel person={known} />
            </div>
          </div>
        )}
      </WhenRead>
    </PageFrame>
  )
}

const inactiveWords = ({ merged_into }: Person) =>
  merged_into ? `Inactive. Merged into ${merged_into.name}.` : 'Inactive. Left out of future events.'

function Facts({ person }: { person: Person }) {
  const queryClient = useQueryClient()
  const [base, setBase] = useState(person)
  const query = personQuery(person.uid)
  const { data: me } = useQuery(meQuery)
  const save = async (values: PersonValues, sending: { headers: Record<string, string> }, keepsPlans: boolean) => {
    const { version } = await changePerson(
      person.uid,
      {
        version: base.version,
        ...changesOf(values, valuesOf(base)),
        ...(keepsPlans && { keep_plans_permission: true }),
      },
      sending,
    )
    setBase({ ...base, version })
  }
  const readAgain = async () => {
    const now = await queryClient.fetchQuery({ ...query, staleTime: 0 })
    setBase(now)
    return { stored: valuesOf(now), at: now.changed_at }
  }
  return (
    <PersonForm
      stored={valuesOf(person)}
      refusal={person.authority.address.refusal}
      endsPlansOf={person.authority.address.ends_plans ? fullName(person) : null}
      mayKeepPlans={me?.sees_plans ?? false}
      save={save}
      readAgain={readAgain}
      onSaved={() => {
        toastDone('Saved.')
        void queryClient.invalidateQueries({ queryKey: ['people'] })
        void queryClient.fetchQuery({ ...query, staleTime: 0 }).then(setBase, () => undefined)
      }}
      onCancel={() => navigate('/console/people')}
    />
  )
}

function Assignments({ person: { assignments } }: { person: Person }) {
  return (
    <Panel title="Assignments">
      {assignments.length === 0 && <p className="text-muted">None</p>}
      <ul className="grid gap-2 empty:hidden">
        {assignments.map(({ role, site, date_from, date_to, status }) => (
          <li key={`${role} ${site} ${date_from}`}>
            <span className="font-semibold">{role}</span>, {site}
            <span className="block text-sm text-muted">
              {status}, {formatDateRange(date_from, date_to)}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
