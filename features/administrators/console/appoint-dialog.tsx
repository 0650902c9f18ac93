import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { SignInOrigins } from '#features/authority/console/sign-in-origins.tsx'
import type { ReachKind } from '#kernel/console-kinds.ts'
import type { GroupUid, PersonUid, SiteUid } from '#kernel/ids.ts'
import * as limits from '#kernel/limits.ts'
import { Failure } from '#web/console/failure.tsx'
import { overviewQuery } from '#web/console/me.data.ts'
import { fullName } from '#web/console/names.ts'
import { toastDone } from '#web/console/toast-done.ts'
import { useOneAction } from '#web/lib/one-action.ts'
import { useDebounced } from '#web/lib/use-debounced.ts'
import { consoleSentence } from '#web/session/console-session.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { SearchBox } from '#web/ui/fields/search-box.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { Dialog } from '#web/ui/popups/dialog.tsx'
import { type Administrators, administratorsQuery, appoint, candidatesQuery } from './administration.data.ts'

interface AppointDialogProps {
  open: boolean
  onClose: () => void
  reaches: Pick<Administrators, 'sites' | 'groups'>
  givesMark: boolean
}

export function AppointDialog({ open, onClose, reaches, givesMark }: AppointDialogProps) {
  const [link, setLink] = useState<string | null>(null)
  const close = () => {
    setLink(null)
    onClose()
  }
  return (
    <Dialog open={open} onClose={close} title={link ? 'Hand over the invitation' : 'Add an administrator'}>
      {link ? (
        <InvitationLink link={link} onDone={close} />
      ) : (
        open && <AppointForm reaches={reaches} givesMark={givesMark} onClose={close} onLink={setLink} />
      )}
    </Dialog>
  )
}

interface AppointFormProps extends Pick<AppointDialogProps, 'reaches' | 'givesMark' | 'onClose'> {
  onLink: (link: string) => void
}

interface Person {
  uid: PersonUid
  first_name: string
  last_name: string
  email: string | null
}

function AppointForm({ reaches: { sites, groups }, givesMark, onClose, onLink }: AppointFormProps) {
  const queryClient = useQueryClient()
  const [person, setPerson] = useState<Person | null>(null)
  const [reach, setReach] = useState<ReachKind>('organisation')
  const [place, setPlace] = useState('')
  const [seesPlans, setSeesPlans] = useState(false)
  const [error, setError] = useState<string | null>(null)
  const { running, run } = useOneAction<'appoint'>()
  const places = reach === 'site' ? sites : groups
  const isWhole = reach === 'organisation'
  const reachOptions = [
    { value: 'organisation' as const, label: 'The whole organisation' },
    ...(sites.length > 0 ? [{ value: 'site' as const, label: 'One site' }] : []),
    ...(groups.length > 0 ? [{ value: 'group' as const, label: 'One group' }] : []),
  ]

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    void run('appoint', async () => {
      setError(null)
      if (!person) return setError('Choose a person.')
      if (!isWhole && !place) return setError(`Choose the ${reach}.`)
      try {
        const { invitation_link } = await appoint({
          person: person.uid,
          reach,
          sees_plans: seesPlans,
          ...(reach === 'site' && { site: place as SiteUid }),
          ...(reach === 'group' && { group: place as GroupUid }),
        })
        await Promise.all(
          [administratorsQuery, overviewQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
        )
        toastDone('Added.')
        if (invitation_link) onLink(invitation_link)
        else onClose()
      } catch (failure) {
        setError(consoleSentence(failure))
      }
    })
  }

  return (
    <form noValidate className="grid grid-cols-1 gap-4" onSubmit={handleSubmit}>
      <PersonPicker person={person} onPick={setPerson} />
      {person && <SignInOrigins people={[person.uid]} />}
      <SelectField
        label="Reach"
        value={reach}
        options={reachOptions}
        onChange={(value) => {
          setReach(value)
          setPlace('')
        }}
      />
      {!isWhole && (
        <SelectField
          label={reach === 'site' ? 'Site' : 'Group'}
          value={place}
          placeholder="Choose"
          options={places.map(({ uid, name }) => ({ value: uid as string, label: name }))}
          onChange={setPlace}
        />
      )}
      {givesMark && (
        <Checkbox
          label="May see personal emergency plans. Everyone who may see them is told."
          checked={seesPlans}
          onChange={setSeesPlans}
        />
      )}
      <Failure of={error} />
      <div className="console-end">
        <Button variant="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" busy={running !== null}>
          Add
        </Button>
      </div>
    </form>
  )
}

function PersonPicker({ person, onPick }: { person: Person | null; onPick: (person: Person | null) => void }) {
  const [text, setText] = useState('')
  const asked = useDebounced(text.trim(), limits.searchDebounce)
  const { data = [] } = useQuery(candidatesQuery(asked))
  if (person)
    return (
      <div className="flex items-center justify-between gap-3 rounded-xl border border-hairline px-3 py-1">
        <PersonName person={person} />
        <Button variant="quiet" onClick={() => onPick(null)}>
          Change
        </Button>
      </div>
    )
  return (
    <div className="grid gap-2">
      <SearchBox label="Person" value={text} onChange={setText} />
      <ul aria-label="People" className="console-picks grid empty:hidden">
        {asked &&
          data.map((one) => (
            <li key={one.uid}>
              <button
                type="button"
                className="btn w-full justify-start text-left console-choice font-normal"
                onClick={() => onPick(one)}
              >
                <PersonName person={one} />
              </button>
            </li>
          ))}
      </ul>
      {asked && data.length === 0 && <p className="text-sm text-muted">No one on the staff has this name or email.</p>}
    </div>
  )
}

const PersonName = ({ person }: { person: Person }) => (
  <span className="min-w-0">
    <span className="block font-semibold">{fullName(person)}</span>
    <span className="block text-sm text-muted wrap-anywhere">{person.email ?? 'No email address'}</span>
  </span>
)

/** Where no mail is sent: shown this once. */
export function InvitationLink({ link, onDone }: { link: string; onDone: () => void }) {
  return (
    <>
      <p>
        Email is not set up here. Give this link to the person yourself. It works once, within seven days, and is not
        shown again.
      </p>
      <p className="rounded-xl bg-raised p-3 console-mono text-sm wrap-anywhere console-whole">{link}</p>
      <div className="console-end">
        <Button variant="outline" onClick={() => void navigator.clipboard.writeText(link).catch(() => undefined)}>
          Copy
        </Button>
        <Button onClick={onDone}>Done</Button>
      </div>
    </>
  )
}
