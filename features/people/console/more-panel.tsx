import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ConfirmAct } from '#web/console/confirm-act.tsx'
import { Failure } from '#web/console/failure.tsx'
import { nowQuery } from '#web/console/me.data.ts'
import { fullName } from '#web/console/names.ts'
import { saveFile } from '#web/console/save-file.ts'
import { toastDone } from '#web/console/toast-done.ts'
import { useOneAction } from '#web/lib/one-action.ts'
import { navigate } from '#web/pages/navigate.ts'
import { consoleSentence } from '#web/session/console-session.ts'
import { Button } from '#web/ui/button.tsx'
import { Link } from '#web/ui/link.tsx'
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
      <Failure of={error} className="basis-full" />
    </>
  )
}

/** Who is counted in a running event is erased when it has ended. */
function EraseButton({ person }: { person: Person }) {
  const queryClient = useQueryClient()
  const [isAsking, setIsAsking] = useState(false)
  const { uid, in_event_at } = person
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
      <ConfirmAct
        open={isAsking}
        title={`Erase ${fullName(person)} for good?`}
        confirm="Erase"
        act={async () => {
          await erasePerson(uid)
          navigate('/console/people')
          queryClient.removeQueries({ queryKey: personQuery(uid).queryKey })
        }}
        done="Erased."
        again={[['people']]}
        onClose={() => setIsAsking(false)}
      >
        <p>
          Name, numbers, sign-in, plans and messages are deleted. Past events keep their counts, and say 'Erased
          person'. Uploads that no one has applied yet are discarded. This cannot be undone.
        </p>
      </ConfirmAct>
    </>
  )
}

/** Of a warden on duty the deactivation waits. */
function ActiveButton({ person }: { person: Person }) {
  const [isAsking, setIsAsking] = useState(false)
  const { uid, active, on_duty_at } = person
  const verb = active ? 'Deactivate' : 'Reactivate'
  return (
    <>
      <Button variant="outline" onClick={() => setIsAsking(true)}>
        {verb}
      </Button>
      <ConfirmAct
        open={isAsking}
        title={`${verb} ${fullName(person)}?`}
        confirm={verb}
        variant={active ? 'red' : 'blue'}
        act={async () => {
          const { status } = await (active ? deactivate(uid) : reactivate(uid))
          status === 'waits' ? toast(doneWords[status], { slot: 'done' }) : toastDone(doneWords[status])
        }}
        again={[personQuery(uid).queryKey, ['people'], nowQuery.queryKey]}
        onClose={() => setIsAsking(false)}
      >
        <p>
          {active && on_duty_at
            ? `They are on duty at ${on_duty_at}. This happens when they go off duty.`
            : active
              ? 'They are signed out at once and left out of future events. Nothing is deleted.'
              : 'Their assignments, groups and plan are restored as they were.'}
        </p>
      </ConfirmAct>
    </>
  )
}
