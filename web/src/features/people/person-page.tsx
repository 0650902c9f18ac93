import type { PersonUid } from '@evac/contract/ids.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { nowQuery } from '../../console/me.data.ts'
import { PageFrame } from '../../console/page-frame.tsx'
import { toastDone } from '../../console/toast-done.ts'
import { formatDateRange } from '../../lib/dates.ts'
import { useOneAction } from '../../lib/one-action.ts'
import { navigate } from '../../pages/navigate.ts'
import { consoleSentence } from '../../session/console-session.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { ConfirmDialog } from '../../ui/popups/confirm-dialog.tsx'
import { toast } from '../../ui/toast.tsx'
import { WhenRead } from '../../ui/when-read.tsx'
import { GroupsPanel } from './groups-panel.tsx'
import { HistoryPanel } from './history-panel.tsx'
import { Panel } from './panel.tsx'
import { changePerson, deactivate, type Person, personQuery, reactivate } from './people.data.ts'
import { changesOf, PersonForm, type PersonValues, valuesOf } from './person-form.tsx'
import { PlanPanel } from './plan-panel.tsx'
import { SignInPanel } from './sign-in-panel.tsx'

/** PPL-06, PPL-08, PPL-10: a person, with how they sign in, their assignments and groups. */
export function PersonPage({ uid }: { uid: PersonUid }) {
  const read = useQuery(personQuery(uid))
  const person = read.data
  return (
    <PageFrame
      title={person ? `${person.first_name} ${person.last_name}` : 'Person'}
      purpose={person?.active === false ? 'Inactive. Left out of events to come.' : 'Who it is, and where.'}
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
              {known.may_change_sign_in && (
                <Panel title="More">
                  <ActiveButton person={known} />
                </Panel>
              )}
            </div>
          </div>
        )}
      </WhenRead>
    </PageFrame>
  )
}

function Facts({ person }: { person: Person }) {
  const queryClient = useQueryClient()
  const [base, setBase] = useState(person)
  const query = personQuery(person.uid)
  const save = async (values: PersonValues, sending: { headers: Record<string, string> }) => {
    const { version } = await changePerson(
      person.uid,
      { version: base.version, ...changesOf(values, valuesOf(base)) },
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
      mayChangeSignIn={person.may_change_sign_in}
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

const doneWords = {
  deactivated: 'Deactivated.',
  reactivated: 'Reactivated.',
  waits: 'On duty. It happens when they go off duty.',
}

/** PPL-08, ORG-44: of a warden on duty the deactivation waits. */
function ActiveButton({ person }: { person: Person }) {
  const queryClient = useQueryClient()
  const [asking, setAsking] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const { running, run } = useOneAction<'active'>()
  const { uid, active, on_duty_at } = person
  const apply = () =>
    void run('active', async () => {
      setError(null)
      try {
        const { status } = await (active ? deactivate(uid) : reactivate(uid))
        status === 'waits' ? toast(doneWords[status], { slot: 'done' }) : toastDone(doneWords[status])
      } catch (failure) {
        return setError(consoleSentence(failure))
      }
      setAsking(false)
      await Promise.all([
        queryClient.invalidateQueries({ queryKey: personQuery(uid).queryKey }),
        queryClient.invalidateQueries({ queryKey: ['people'] }),
        queryClient.invalidateQueries({ queryKey: nowQuery.queryKey }),
      ])
    })
  const verb = active ? 'Deactivate' : 'Reactivate'
  return (
    <>
      <Button variant="outline" onClick={() => setAsking(true)}>
        {verb}
      </Button>
      <ConfirmDialog
        open={asking}
        title={`${verb} ${person.first_name} ${person.last_name}?`}
        confirm={verb}
        variant={active ? 'red' : 'blue'}
        busy={running !== null}
        onConfirm={apply}
        onCancel={() => setAsking(false)}
      >
        <p>
          {active && on_duty_at
            ? `They are at their post at ${on_duty_at}. It happens when they go off duty.`
            : active
              ? 'They are signed out at once, and events to come leave them out. Nothing is deleted.'
              : 'Assignments, groups and plan come back as they were.'}
        </p>
        <div role="alert" className="mt-3 empty:hidden">
          {error && <Notice variant="danger">{error}</Notice>}
        </div>
      </ConfirmDialog>
    </>
  )
}
