import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { usePathname } from 'wouter/use-browser-location'
import { SetUpPage } from '#features/administrators/console/set-up-page.tsx'
import type { NextStep } from '#features/sign-in/calls/console-sign-in.ts'
import { Entrance } from '#features/sign-in/console/entrance.tsx'
import { InvitationPage } from '#features/sign-in/console/invitation-page.tsx'
import { SecondStep } from '#features/sign-in/console/second-step.tsx'
import { SignInPage } from '#features/sign-in/console/sign-in-page.tsx'
import { addStyles } from '../../lib/add-styles.ts'
import { useStore } from '../../lib/store.ts'
import { navigate } from '../../pages/navigate.ts'
import { createQueryClient } from '../../reads/query-client.ts'
import { consoleTokenStore } from '../../session/console-session.ts'
import { Chrome } from './chrome.tsx'
import looks from './console.css?inline'

// a sheet of its own request would be built without Tailwind
addStyles(looks)

const toOverview = () => navigate('/console', { replace: true })

/** The administrators' side, below /console. Another session reads everything anew. */
export function Console() {
  const token = useStore(consoleTokenStore)
  return <Session key={token} token={token} />
}

/** Its reads are its own: what wardens keep on their phones holds none of them. */
function Session({ token }: { token: string | null }) {
  const [queryClient] = useState(createQueryClient)
  return (
    <QueryClientProvider client={queryClient}>
      <div className="console">
        <Page token={token} />
      </div>
    </QueryClientProvider>
  )
}

function Page({ token }: { token: string | null }) {
  const pathname = usePathname().replace(/\/$/, '')
  if (pathname === '/console/set-up') return <Entered title="Set up" first={(next) => <SetUpPage onMade={next} />} />
  if (pathname === '/console/invitation')
    return <Entered title="Welcome" first={(next) => <InvitationPage onSet={next} />} />
  if (token === null) return <SignInPage onOpened={() => pathname === '/console/sign-in' && toOverview()} />
  if (pathname === '/console/sign-in') return <ToOverview />
  return <Chrome pathname={pathname} />
}

function ToOverview() {
  useEffect(toOverview, [])
  return null
}

interface EnteredProps {
  title: string
  first: (next: (step: NextStep) => void) => React.ReactNode
}

/** A page that ends with the second factor. If its ticket is over, the password has been set and signs in. */
function Entered({ title, first }: EnteredProps) {
  const [step, setStep] = useState<NextStep | null>(null)
  return (
    <Entrance title={title}>
      {step ? (
        <SecondStep step={step} onOpened={toOverview} onOver={() => navigate('/console/sign-in', { replace: true })} />
      ) : (
        first(setStep)
      )}
    </Entrance>
  )
}
