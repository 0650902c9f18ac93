import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { nowQuery } from '#web/console/me.data.ts'
import { saveFile } from '#web/console/save-file.ts'
import { toastDone } from '#web/console/toast-done.ts'
import { useOneAction } from '#web/lib/one-action.ts'
import { navigate } from '#web/pages/navigate.ts'
import { consoleSentence } from '#web/session/console-session.ts'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ConfirmDialog } from '#web/ui/popups/confirm-dialog.tsx'
import { toast } from '#web/ui/toast.tsx'
import { Panel } from './panel.tsx'
import {
  deactivate,
  downloadPerson,
  erasePerson,
  historyQuery,
  type Person,
  personQuery,
  reactivate,
} from './people.data.ts'
import { RefusedActs } from './refused-acts.tsx'

const doneWords = {
  deactivated: 'Deactivated.',
  reactivated: 'Reactivated.',
  waits: 'On duty. This happens when they go off duty.',
}

/** What is seldom done. */
export function MorePanel({ person }: { person: Person }) {
  const { active, authority, merged_into } = person
  const change = active ? 'deactivate' : 'reactivate'
  const acts = [...(merged_into ? [] : ([change] as const)), ...(active ? [] : (['erase'] as const))]
  return (
    <Panel title="More">
      {merged_into && (
        <Link to={`/console/people/${merged_into.uid}`} className="console-link">
          Open {merged_into.name}
        </Link>
      )}
      <div className="console-acts">
        {!merged_into && authority[change].refusal === null && <ActiveButton person={person} />}
        <DownloadButton person={person} />
        {!active && authority.erase.refusal === null && <EraseButton person={person} />}
      </div>
      <RefusedActs person={person} acts={acts} />
    </Panel>
  )
}

function DownloadButton({ person: { uid, code } }: { person: Person }) {
  const queryClient = useQueryClient()
  const [error, setError] = useState<string | null>(null)
  const { running, run } = useOneAction<'download'>()
  const download = () =>
    void run('download', async () => {
      setError(null)
      try {
        const data = await downloadPerson(uid)
        saveFile(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }), `person-${code}.json`)
      } catch (failure) {
        return setError(consoleSentence(failure))
      }
      await queryClient.invalidateQueries({ queryKey: historyQuery(uid).queryKey })
    })
  return (
    <>
      <Button variant="outline" busy={running !== null} onClick={download}>
        Download this person's data
      </Button>
      <div role="alert" className="basis-full empty:hidden">
        {error && <Notice variant="danger">{error}</Notice>}
      </div>
    </>
  )
}

/** Who is counted in a running event is erased when it has ended. */
function EraseButton({ person }: { person: Person }) {
  const queryClient = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const { running, run } = useOneAction<'erase'>()
  const { uid, in_event_at } = person
  const name = `${person.first_name} ${person.last_name}`
  const apply = () =>
    void run('erase', async () => {
      setError(null)
      try {
        await erasePerson(uid)
      } catch (failure) {
        return setError(consoleSentence(failure))
      }
      toastDone('Erased.')
      navigate('/console/people')
      queryClient.removeQueries({ queryKey: personQuery(uid).queryKey })
      await queryClient.invalidateQueries({ queryKey: ['people'] })
    })
  return (
    <>
      <Button variant="outline" disabled={in_event_at !== null} onClick={() => setIsAsking(true)}>
        Erase
      </Button>
      {in_event_at && (
        <p className="basis-full text-sm text-muted">
          An event is running at {in_event_at}. This can be changed when it has ended.
        </p>
      )}
      <ConfirmDialog
        open={isAsking}
        title={`Erase ${name} for good?`}
        confirm="Erase"
        variant="red"
        busy={running !== null}
        onConfirm={apply}
        onCancel={() => setIsAsking(false)}
      >
        <p>
          Name, numbers, sign-in, plans and messages are deleted. Past events keep their counts, and say 'Erased
          person'. Uploads that no one has applied yet are discarded. This cannot be undone.
        </p>
        <div role="alert" className="mt-3 empty:hidden">
          {error && <Notice variant="danger">{error}</Notice>}
        </div>
      </ConfirmDialog>
    </>
  )
}

/** Of a warden on duty the deactivation waits. */
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
            ? `They are on duty at ${on_duty_at}. This happens when they go off duty.`
            : active
              ? 'They are signed out at once and left out of future events. Nothing is deleted.'
              : 'Their assignments, groups and plan are restored as they were.'}
        </p>
        <div role="alert" className="mt-3 empty:hidden">
          {error && <Notice variant="danger">{error}</Notice>}
        </div>
      </ConfirmDialog>
    </>
  )
}
