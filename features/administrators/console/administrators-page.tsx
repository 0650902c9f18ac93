import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { noHolder } from '#features/authority/words.ts'
import { ConfirmAct } from '#web/console/confirm-act.tsx'
import { WhenListed } from '#web/console/list/when-listed.tsx'
import { overviewQuery, useZone } from '#web/console/me.data.ts'
import { fullName } from '#web/console/names.ts'
import { toastDone, toastFailure } from '#web/console/toast-done.ts'
import { formatMomentIn } from '#web/console/zone-time.ts'
import { useOneAction } from '#web/lib/one-action.ts'
import { useIsWide } from '#web/lib/use-is-wide.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Dialog } from '#web/ui/popups/dialog.tsx'
import type { AdministratorRow } from '../calls/administrators.ts'
import { administratorsQuery, invite, resetFactor, revoke, showInvitation } from './administration.data.ts'
import { AppointDialog, InvitationLink } from './appoint-dialog.tsx'

interface AdministratorsPageProps {
  /** The chrome puts the main button beside the title, or at the foot of a phone. */
  frame: (button: ReactNode, content: ReactNode) => ReactNode
  /** May give the Plans permission. */
  seesPlans: boolean
}

/** Who administers the organisation, and how much of it. */
export function AdministratorsPage({ frame, seesPlans }: AdministratorsPageProps) {
  const read = useQuery(administratorsQuery)
  const [isAdding, setIsAdding] = useState(false)
  const button = (
    <Button onClick={() => setIsAdding(true)} disabled={!read.data}>
      Add an administrator
    </Button>
  )
  return frame(
    button,
    <WhenListed read={read}>
      {(data) => (
        <>
          <List rows={data.rows} sendsMail={data.sends_mail} isStale={read.error !== null} />
          <AppointDialog open={isAdding} onClose={() => setIsAdding(false)} reaches={data} givesMark={seesPlans} />
        </>
      )}
    </WhenListed>,
  )
}

const reachWords = { organisation: 'Whole organisation', site: 'Site', group: 'Group' }
const reachOf = ({ reach: { kind, name } }: AdministratorRow) =>
  name ? `${reachWords[kind]}: ${name}` : reachWords[kind]
const stateWords = {
  invited: 'Invited, no password yet',
  no_second_factor: 'Not set up',
  ready: 'Set up',
}
const nameOf = ({ person }: AdministratorRow) => fullName(person)
const lastSignIn = ({ last_sign_in }: AdministratorRow, zone: string) =>
  last_sign_in ? formatMomentIn(last_sign_in, zone) : 'Not within 30 days'

type Act = { kind: 'revoke' | 'reset'; row: AdministratorRow }

interface ListProps {
  rows: readonly AdministratorRow[]
  sendsMail: boolean
  isStale: boolean
}

function List({ rows, sendsMail, isStale }: ListProps) {
  const isWide = useIsWide()
  const [act, setAct] = useState<Act | null>(null)
  const actions = (row: AdministratorRow) => (
    <div className="console-acts">
      {!row.is_own && row.state === 'ready' && (
        <Button variant="quiet" onClick={() => setAct({ kind: 'reset', row })}>
          Reset second factor
        </Button>
      )}
      {row.state !== 'ready' && <InviteAgain row={row} sendsMail={sendsMail} />}
      <Button variant="quiet" onClick={() => setAct({ kind: 'revoke', row })}>
        Revoke
      </Button>
    </div>
  )
  return (
    <div className={isStale ? 'sample' : undefined}>
      {rows.every(({ sees_plans }) => !sees_plans) && (
        <div className="mb-4">
          <Notice variant="warning">{noHolder}</Notice>
        </div>
      )}
      {isWide ? <Table rows={rows} actions={actions} /> : <Cards rows={rows} actions={actions} />}
      <ActDialog act={act} onClose={() => setAct(null)} />
    </div>
  )
}

/** A newer invitation, which ends the older one. */
function InviteAgain({ row, sendsMail }: { row: AdministratorRow; sendsMail: boolean }) {
  const [link, setLink] = useState<string | null>(null)
  const { running, run } = useOneAction<'invite'>()
  const press = () =>
    void run('invite', async () => {
      try {
        if (sendsMail) await invite(row.person.uid)
        else return setLink((await showInvitation(row.person.uid)).link)
        toastDone('1 invitation sent.')
      } catch (failure) {
        toastFailure(failure)
      }
    })
  const close = () => setLink(null)
  return (
    <>
      <Button variant="quiet" busy={running !== null} onClick={press}>
        Invite again
      </Button>
      <Dialog open={link !== null} onClose={close} title="Hand over the invitation">
        {link !== null && <InvitationLink link={link} onDone={close} />}
      </Dialog>
    </>
  )
}

interface RowsProps {
  rows: readonly AdministratorRow[]
  actions: (row: AdministratorRow) => ReactNode
}

const heads = ['Person', 'Reach', 'Plans', 'Second factor', 'Last sign-in']

function Table({ rows, actions }: RowsProps) {
  const zone = useZone()
  return (
    <div className="overflow-hidden rounded-xl border border-hairline bg-surface">
      <table className="console-table">
        <thead className="bg-raised text-muted">
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col" className="font-semibold">
                {head}
              </th>
            ))}
            <th scope="col">
              <span className="sr-only">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.uid}>
              <th scope="row">
                <Who row={row} />
              </th>
              <td>{reachOf(row)}</td>
              <td>{row.sees_plans ? 'May see' : 'No'}</td>
              <td>{stateWords[row.state]}</td>
              <td className="tabular-nums">{lastSignIn(row, zone)}</td>
              <td>{actions(row)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const Who = ({ row }: { row: AdministratorRow }) => (
  <>
    <span className="font-semibold">{nameOf(row)}</span>{' '}
    {row.is_own && <span className="ml-1 rounded-full bg-raised px-2 py-0.5 text-sm">You</span>}
    <span className="block text-muted wrap-anywhere">{row.person.email}</span>
  </>
)

function Cards({ rows, actions }: RowsProps) {
  return (
    <ul className="grid gap-3">
      {rows.map((row) => (
        <li key={row.uid} className="card grid gap-2">
          <div>
            <p className="text-lg leading-tight font-bold">
              {nameOf(row)}{' '}
              {row.is_own && <span className="ml-1 rounded-full bg-raised px-2 py-0.5 text-sm font-normal">You</span>}
            </p>
            <p className="text-sm text-muted wrap-anywhere">{row.person.email}</p>
          </div>
          <p>
            {reachOf(row)}
            {row.sees_plans && ', may see plans'}
          </p>
          <p className="text-sm text-muted">Second factor: {stateWords[row.state].toLowerCase()}</p>
          {actions(row)}
        </li>
      ))}
    </ul>
  )
}

const acts = {
  revoke: { run: revoke, button: 'Revoke', done: 'Revoked.' },
  reset: { run: resetFactor, button: 'Reset second factor', done: 'Second factor reset.' },
}

/** What cannot be taken back, with what it means. Cancel has the focus. */
function ActDialog({ act, onClose }: { act: Act | null; onClose: () => void }) {
  if (!act) return null
  const { run, button, done } = acts[act.kind]
  const { uid, is_own } = act.row
  const name = nameOf(act.row)
  const revoked = is_own ? 'Give up your own access?' : `Revoke ${name}?`
  return (
    <ConfirmAct
      title={act.kind === 'revoke' ? revoked : `Reset the second factor of ${name}?`}
      confirm={button}
      act={() => run(uid)}
      done={done}
      again={[administratorsQuery.queryKey, overviewQuery.queryKey]}
      onClose={onClose}
    >
      <p>
        {act.kind === 'revoke'
          ? `${is_own ? 'You are' : `${name} is`} signed out of the console at once.`
          : `${name} will be signed out and told by email, and will set up a new one at the next sign-in.`}
      </p>
    </ConfirmAct>
  )
}
