import { ExternalLink } from 'lucide-react'
import { useState } from 'react'
import { useHistoryState } from 'wouter/use-browser-location'
import { navigate } from '#web/pages/navigate.ts'
import { passwordResetBy } from '#web/session/password-reset-by.ts'
import { takeSignedOut } from '#web/session/session-end.ts'
import { Link } from '#web/ui/link.tsx'
import { Logo } from '#web/ui/logo.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Page } from '#web/ui/page.tsx'
import { AlertModal, type AlertText } from '#web/ui/popups/alert-modal.tsx'
import { LeftRecords } from './left-records.tsx'
import { LinkCheck, LinkTrouble } from './link-check.tsx'
import { useLinkVerification } from './link-verification.ts'
import { MobileForm } from './mobile-form.tsx'
import { PasswordForm } from './password-form.tsx'

/** The sign-in page. */
export function LoginScreen() {
  const link = useLinkVerification()
  const [wasSignedOut] = useState(takeSignedOut)
  return (
    <Page className="min-h-[calc(100dvh-4rem)] grid-rows-[auto_auto_1fr] gap-5 pt-5">
      <Brand />
      <div className="grid grid-cols-1 content-start gap-3">
        {wasSignedOut && !link.isPending && (
          <div role="status">
            <Notice variant="warning">You were signed out. Please sign in again.</Notice>
          </div>
        )}
        <LeftRecords />
        {link.trouble && <LinkTrouble text={link.trouble} busy={link.isVerifying} onTryAgain={link.tryAgain} />}
        {link.isVerifying && !link.trouble ? <LinkCheck /> : <Forms />}
      </div>
      <footer className="self-end text-center text-balance text-muted">For authorised users of All Wardens.</footer>
      <AlertModal alert={link.alert} onClose={link.closeAlert} />
      <ArrivalAlert />
    </Page>
  )
}

/** In this order. */
function Forms() {
  return (
    <>
      <div className="card p-4">
        <MobileForm />
      </div>
      <p className="text-center text-muted">or</p>
      <div className="card grid grid-cols-1 gap-4 p-4">
        <PasswordForm />
        <ForgotPassword />
      </div>
    </>
  )
}

function Brand() {
  return (
    <header className="flex flex-wrap items-center justify-center gap-4">
      <Logo size={64} />
      <h2 className="min-w-[7.5em] max-w-52 text-xl leading-tight font-bold">Emergency Event Management</h2>
    </header>
  )
}

/** What the page that led here has to say: that a new password was set. */
function ArrivalAlert() {
  const state = useHistoryState<{ alert?: AlertText } | null>()
  return <AlertModal alert={state?.alert ?? null} onClose={() => navigate('/login', { replace: true })} />
}

function ForgotPassword() {
  const by = passwordResetBy()
  const look = 'btn justify-self-center text-link underline underline-offset-4'
  if (!by.startsWith('http'))
    return (
      <Link to="/forgot-password" className={look}>
        Forgot Password
      </Link>
    )
  return (
    <a href={by} target="_blank" rel="noopener noreferrer" className={look}>
      Forgot Password
      <ExternalLink aria-hidden size={18} className="shrink-0" />
    </a>
  )
}
