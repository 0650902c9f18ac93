import { Check, X } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Redirect } from '#web/pages/navigate.ts'
import { Button } from '#web/ui/button.tsx'
import { Page } from '#web/ui/page.tsx'
import { AssignmentFacts } from './assignment-facts.tsx'
import { type OwnAssignment, useOwnAssignment } from './own-assignment.ts'
import { OwnBar } from './own-bar.tsx'
import { PeepList } from './peep-list.tsx'
import { ReasonForm } from './reason-form.tsx'
import { useAnswer } from './use-answer.tsx'

/** Accepting or declining an assignment. */
export function WardenAssignmentScreen() {
  const own = useOwnAssignment()
  return own ? <Offer {...own} /> : <Redirect to="/reportinlist" />
}

function Offer({ uid, details }: OwnAssignment) {
  const { running, send, success } = useAnswer(uid)
  const { isDeclining, toggle, field, button } = useDeclining()
  return (
    <>
      <OwnBar title="Accept / Decline Warden Assignment" />
      <Page className="min-h-[calc(100dvh-4rem)] grid-rows-[auto_auto_1fr]">
        <AssignmentFacts {...details} />
        <PeepList assignment={uid} />
        {isDeclining ? (
          <ReasonForm
            send="Decline"
            icon={X}
            busy={running === 'Declined'}
            fieldRef={field}
            onBack={toggle}
            onSend={(reason) => send('Declined', reason)}
          />
        ) : (
          <Foot>
            <Button
              variant="green"
              icon={Check}
              busy={running === 'Accepted'}
              className="min-h-17 text-xl"
              onClick={() => send('Accepted')}
            >
              Accept
            </Button>
            <Button ref={button} variant="grey" icon={X} className="min-h-17 px-3 text-lg" onClick={toggle}>
              Decline
            </Button>
          </Foot>
        )}
        {success}
      </Page>
    </>
  )
}

/** The focus follows, or the keyboard would be left nowhere. */
function useDeclining() {
  const [isDeclining, setDeclining] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const hasToggled = useRef(false)
  const toggle = () => {
    hasToggled.current = true
    setDeclining(!isDeclining)
  }
  useEffect(() => {
    if (!hasToggled.current) return
    const target = isDeclining ? field.current : button.current
    target?.focus()
    target?.form?.scrollIntoView({ block: 'nearest' })
  }, [isDeclining])
  return { isDeclining, toggle, field, button }
}

/** In the thumb's reach, where enough of the page is left to read; it covers the page's own margin. */
function Foot({ children }: { children: ReactNode }) {
  return (
    <div className="pin-bottom -mx-3 -mb-8 grid grid-cols-[repeat(auto-fit,minmax(min(100%,8.5rem),1fr))] gap-2 self-end border-t border-hairline bg-canvas px-3 pt-3 pb-[max(1rem,env(safe-area-inset-bottom))]">
      {children}
    </div>
  )
}
