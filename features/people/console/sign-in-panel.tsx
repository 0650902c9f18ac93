import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Failure } from '#web/console/failure.tsx'
import { useZone } from '#web/console/me.data.ts'
import { fullName } from '#web/console/names.ts'
import { toastDone } from '#web/console/toast-done.ts'
import { formatMomentIn } from '#web/console/zone-time.ts'
import { useOneAction } from '#web/lib/one-action.ts'
import { consoleSentence } from '#web/session/console-session.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/popups/confirm-dialog.tsx'
import { Dialog } from '#web/ui/popups/dialog.tsx'
import { InvitationSheets, type ShownInvitation } from './invitation-sheet.tsx'
import { Panel } from './panel.tsx'
import { invite, type Person, sendPasswordLink, showInvitation, signOutEverywhere } from './people.data.ts'
import { RefusedActs } from './refused-acts.tsx'

/** How the person signs in, and what may be done about it. */
export function SignInPanel({ person }: { person: Person }) {
  const zone = useZone()
  const { ways, is_needed, has_password, last_sign_in, sessions, invited, second_factor, acts } = person.sign_in
  const cannot = is_needed
    ? 'Cannot sign in: no password and no mobile.'
    : 'Cannot sign in: no assignment, not an administrator.'
  const facts: [string, string][] = [
    ['Password', has_password ? 'Yes' : 'No'],
    ['Last sign-in', last_sign_in ? formatMomentIn(last_sign_in, zone) : 'Never'],
    ['Signed in on', sessions === 1 ? '1 phone' : `${sessions} phones`],
    ...(invited ? [['Invited', invitedAt(invited, zone)] as [string, string]] : []),
    ...(second_factor === null ? [] : [['Second factor', second_factor ? 'Set up' : 'Not set up'] as [string, string]]),
  ]
  return (
    <Panel title="Sign-in">
      <p>{ways.length > 0 ? `Can sign in by: ${ways.join(', ')}` : cannot}</p>
      <dl className="console-facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className="text-muted">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {acts.length > 0 && <Acts person={person} />}
    </Panel>
  )
}

const invitedAt = ({ at, by }: NonNullable<Person['sign_in']['invited']>, zone: string) =>
  `${formatMomentIn(at, zone)}${by ? ` by ${by}` : ''}`

const words: Record<Person['sign_in']['acts'][number], string> = {
  invite: 'Invite',
  show_invitation: 'Show the invitation',
  password_link: 'Send a link to set a new password',
  sign_out: 'Sign out everywhere',
}

const invitedWords = {
  invited: '1 invitation sent.',
  told: 'Told by email where to sign in. A password is already set.',
  texted: '1 invitation sent by text. They sign in with this number.',
}

function Acts({ person }: { person: Person }) {
  const queryClient = useQueryClient()
  const [shown, setShown] = useState<ShownInvitation | null>(null)
  const [isAsking, setIsAsking] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const { running, run } = useOneAction<string>()
  const name = fullName(person)
  const { uid, on_duty_at, authority } = person
  const may = person.sign_in.acts.filter((which) => authority[which].refusal === null)
  const acts: Record<Person['sign_in']['acts'][number], () => Promise<string | undefined>> = {
    invite: async () => {
      const { status } = await invite(uid)
      return invitedWords[status]
    },
    show_invitation: async () => {
      setShown({ name, ...(await showInvitation(uid)) })
      return undefined
    },
    password_link: async () => {
      await sendPasswordLink(uid)
      return 'Sent. The link works for 30 minutes.'
    },
    sign_out: async () => {
      await signOutEverywhere(uid, on_duty_at !== null)
      setIsAsking(false)
      return 'Signed out everywhere.'
    },
  }
  const act = (which: keyof typeof acts) =>
    void run(which, async () => {
      setError(null)
      try {
        const done = await acts[which]()
        if (done) toastDone(done)
      } catch (failure) {
        setError(consoleSentence(failure))
      }
      await Promise.all(
        [['person', uid], ['people'], ['now']].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
      )
    })
  return (
    <>
      <div className="console-acts">
        {may.map((which) => (
          <Button
            key={which}
            variant={which === 'invite' ? 'outline' : 'quiet'}
            busy={running === which}
            onClick={() => (which === 'sign_out' ? setIsAsking(true) : act(which))}
          >
            {words[which]}
          </Button>
        ))}
      </div>
      <RefusedActs person={person} acts={person.sign_in.acts} />
      <Failure of={isAsking ? null : error} />
      <ConfirmDialog
        open={isAsking}
        title={on_duty_at ? `Take ${name} off duty?` : `Sign out ${name} everywhere?`}
        confirm={on_duty_at ? 'Take off duty and sign out' : 'Sign out everywhere'}
        busy={running === 'sign_out'}
        onConfirm={() => act('sign_out')}
        onCancel={() => setIsAsking(false)}
      >
        <p>
          {on_duty_at
            ? `They are on duty at ${on_duty_at}. Their phone will show that they are no longer authorised.`
            : 'Their phones and browsers are signed out at once, and they can sign in again.'}
        </p>
        <Failure of={error} className="mt-3" />
      </ConfirmDialog>
      <Dialog open={shown !== null} onClose={() => setShown(null)} title="Hand over the invitation">
        {shown && <InvitationSheets shown={[shown]} onDone={() => setShown(null)} />}
      </Dialog>
    </>
  )
}
