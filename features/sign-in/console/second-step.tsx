import { useQuery } from '@tanstack/react-query'
import { Copy, Download } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import { ApiError } from '#kernel/client/client.ts'
import { useOneAction } from '#web/lib/one-action.ts'
import { useIsWide } from '#web/lib/use-is-wide.ts'
import { consoleSentence, openConsole } from '#web/session/console-session.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { toast } from '#web/ui/toast.tsx'
import { TryAgain } from '#web/ui/try-again.tsx'
import type { Me, NextStep } from '../calls/console-sign-in.ts'
import { CodeField } from './code-field.tsx'
import { confirmEnrolment, giveCode, startEnrolment } from './console-sign-in.data.ts'
import { EntranceForm } from './entrance.tsx'

interface StepProps {
  step: NextStep
  /** The console is open. */
  onOpened: () => void
  /** The ticket is over: back to the password. */
  onOver: () => void
}

/** A code, or setting up what shows one. */
export function SecondStep(props: StepProps) {
  return props.step.step === 'code' ? <CodeStep {...props} /> : <EnrolStep {...props} />
}

const over = 'This took longer than five minutes. Please enter your password again.'

class NoCode extends Error {}
/** The code, or throws if nothing was entered. */
function needed(code: string): string {
  if (!code.trim()) throw new NoCode()
  return code
}

/** Runs one try. Says what went wrong; a ticket that is over leads back. */
function useTry(onOver: () => void) {
  const [error, setError] = useState<string | null>(null)
  const { running, run } = useOneAction<'try'>()
  const attempt = (work: () => Promise<void>) =>
    run('try', async () => {
      setError(null)
      try {
        await work()
      } catch (failure) {
        if (failure instanceof ApiError && failure.code === 'not_signed_in') {
          setError(over)
          return onOver()
        }
        setError(failure instanceof NoCode ? 'Enter the code.' : consoleSentence(failure))
      }
    })
  return { error, busy: running !== null, attempt }
}

function CodeStep({ step: { ticket }, onOpened, onOver }: StepProps) {
  const [code, setCode] = useState('')
  const [isRecovery, setIsRecovery] = useState(false)
  const { error, busy, attempt } = useTry(onOver)
  const handleSubmit = () =>
    attempt(async () => {
      openConsole(await giveCode(ticket, needed(code)))
      onOpened()
    })
  const change = () => {
    setIsRecovery(!isRecovery)
    setCode('')
  }
  return (
    <EntranceForm submit="Continue" busy={busy} error={error} onSubmit={handleSubmit}>
      <p>
        {isRecovery
          ? 'Each recovery code works once.'
          : 'Open your authenticator app and enter the code that it shows.'}
      </p>
      <CodeField key={String(isRecovery)} value={code} onChange={setCode} isRecovery={isRecovery} />
      <button type="button" className="console-link" onClick={change}>
        {isRecovery ? 'Use the authenticator app' : 'Use a recovery code'}
      </button>
    </EntranceForm>
  )
}

interface Enrolled {
  access_token: string
  me: Me
  recovery_codes: string[]
}

function EnrolStep({ step: { ticket }, onOpened, onOver }: StepProps) {
  const [enrolled, setEnrolled] = useState<Enrolled | null>(null)
  const [code, setCode] = useState('')
  const { error, busy, attempt } = useTry(onOver)
  const isWide = useIsWide()
  if (enrolled) {
    const handleKept = () => {
      openConsole(enrolled)
      onOpened()
    }
    return <RecoveryCodes codes={enrolled.recovery_codes} onKept={handleKept} />
  }
  return (
    <EntranceForm
      submit="Continue"
      busy={busy}
      error={error}
      onSubmit={() => attempt(async () => setEnrolled(await confirmEnrolment(ticket, needed(code))))}
    >
      <div>
        <h2 className="text-lg font-bold">Set up your second factor</h2>
        <p className="mt-1">
          With it, a stolen password alone is not enough to sign in.{' '}
          {isWide
            ? `Scan this with an authenticator app on your phone, such as ${apps}, or type the key into it.`
            : `Open the key in an authenticator app, such as ${apps}, or copy it into the app.`}{' '}
          Then enter the code that it shows.
        </p>
      </div>
      <SecretOf ticket={ticket} isPhone={!isWide} />
      <CodeField value={code} onChange={setCode} />
    </EntranceForm>
  )
}

const apps = 'Google Authenticator, Microsoft Authenticator or Apple Passwords'

const QrCode = lazy(async () => ({ default: (await import('#web/console/qr-code.tsx')).QrCode }))

/** The secret as a picture, and in groups of four for who types it. A phone cannot scan its own screen: it has a link. */
function SecretOf({ ticket, isPhone }: { ticket: string; isPhone: boolean }) {
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['enrolment', ticket],
    queryFn: () => startEnrolment(ticket),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (error)
    return (
      <>
        <Notice variant="danger">{consoleSentence(error)}</Notice>
        <TryAgain onPress={() => void refetch()} busy={isFetching} />
      </>
    )
  const groups = data?.secret.match(/.{1,4}/g) ?? []
  const handleCopy = () =>
    navigator.clipboard.writeText(data?.secret ?? '').then(
      () => toast('The key has been copied.', { variant: 'success' }),
      () => toast('The key could not be copied.', { variant: 'danger' }),
    )
  return (
    <div className="grid grid-cols-1 justify-items-center gap-3">
      {isPhone && data && (
        <a href={data.uri} className={buttonClass('blue', true)}>
          Open in an authenticator app
        </a>
      )}
      <div className="console-qr">
        {data && (
          <Suspense>
            <QrCode text={data.uri} label="QR code of the key" />
          </Suspense>
        )}
      </div>
      <p className="text-center">
        Key: <span className="console-mono console-whole wrap-anywhere">{groups.join(' ') || 'Loading...'}</span>
      </p>
      {data && (
        <Button variant="outline" icon={Copy} onClick={() => void handleCopy()}>
          Copy the key
        </Button>
      )}
    </div>
  )
}

/** Shown this once. Either button leads on. */
function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept: () => void }) {
  const [isKept, setIsKept] = useState(false)
  const text = `Recovery codes for All Wardens. Each works once.\n\n${codes.join('\n')}\n`
  const handleDownload = () => {
    const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
    Object.assign(document.createElement('a'), { href: url, download: 'recovery-codes.txt' }).click()
    URL.revokeObjectURL(url)
    setIsKept(true)
  }
  const handleCopy = async () => {
    await navigator.clipboard.writeText(text).catch(() => undefined)
    setIsKept(true)
  }
  return (
    <section aria-labelledby="recovery-title" className="card grid grid-cols-1 gap-4 p-5">
      <div>
        <h2 id="recovery-title" className="text-lg font-bold">
          Recovery codes
        </h2>
        <p className="mt-1">
          If you lose your phone, each of these lets you in to the console once. They are not shown again: keep them
          somewhere safe.
        </p>
      </div>
      <ol className="console-codes console-mono">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="grid grid-cols-2 gap-3">
        <Button variant="outline" icon={Download} onClick={handleDownload}>
          Download
        </Button>
        <Button variant="outline" icon={Copy} onClick={() => void handleCopy()}>
          Copy
        </Button>
      </div>
      {!isKept && <p className="text-center text-sm text-muted">Download or copy the codes first.</p>}
      <Button block disabled={!isKept} onClick={onKept}>
        Go to the console
      </Button>
    </section>
  )
}
