import { LogOut } from 'lucide-react'
import { navigate, Redirect } from '#web/pages/navigate.ts'
import { Page } from '#web/ui/page.tsx'
import { AssignmentFacts } from './assignment-facts.tsx'
import { type OwnAssignment, useOwnAssignment } from './own-assignment.ts'
import { OwnBar } from './own-bar.tsx'
import { PeepList } from './peep-list.tsx'
import { ReasonForm } from './reason-form.tsx'
import { useAnswer } from './use-answer.tsx'

export function WithdrawScreen() {
  const own = useOwnAssignment()
  return own ? <Withdrawal {...own} /> : <Redirect to="/reportinlist" />
}

function Withdrawal({ uid, details }: OwnAssignment) {
  const { running, send, success } = useAnswer(uid)
  return (
    <>
      <OwnBar title="Withdraw from Warden Assignment" />
      <Page>
        <AssignmentFacts {...details} />
        <PeepList assignment={uid} />
        <ReasonForm
          send="Withdraw"
          icon={LogOut}
          busy={running === 'Withdrawn'}
          onBack={() => navigate('/reportinlist')}
          onSend={(reason) => send('Withdrawn', reason)}
        />
        {success}
      </Page>
    </>
  )
}
