import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { ApiError } from '#kernel/client/client.ts'
import { newPasswordLength } from '#kernel/limits.ts'
import { Failure } from '#web/console/failure.tsx'
import { newPasswordProblem } from '#web/lib/new-password.ts'
import { useOneAction } from '#web/lib/one-action.ts'
import { dropQuery } from '#web/pages/navigate.ts'
import { consoleCall, consoleSentence } from '#web/session/console-session.ts'
import { readLinkTokens } from '#web/session/sign-in-link/link-tokens.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { Link } from '#web/ui/link.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { TryAgain } from '#web/ui/try-again.tsx'
import type { NextStep } from '../calls/console-sign-in.ts'
import { newPasswordSentences } from '../words.ts'

/** What an invitation opens. Only the button uses it up. */
export function InvitationPage({ onSet }: { onSet: (step: NextStep) => void }) {
  // The address loses the token at once: the history does not keep it.
  const [token] = useState(() => readLinkTokens(location).token ?? '')
  const [isDone, setIsDone] = useState(false)
  useEffect(() => {
    if (location.search || location.hash) dropQuery()
  }, [])
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => consoleCall('POST /api/console/invitation/read', { body: { token: token || '-' } }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  })
  if (isDone)
    return (
      <>
        <Notice>Your password is set. You can sign in with it.</Notice>
        <Link to="/login" className={buttonClass('blue', true)}>
          Go to sign-in
        </Link>
      </>
    )
  if (error)
    return (
      <>
        <Notice variant="danger">{consoleSentence(error)}</Notice>
        <TryAgain onPress={() => void refetch()} busy={isFetching} />
      </>
    )
  if (!data) return <Skeleton parts={['field', 'field']} />
  if (data.state === 'over') return <Over />
  return (
    <>
      <p className="text-lg">
        {data.organisation} invites you as {data.what}.
      </p>
      <PasswordForm token={token} hasPassword={data.has_password} onSet={onSet} onDone={() => setIsDone(true)} />
    </>
  )
}

const Over = () => <Notice variant="warning">This invitation is no longer valid. Ask for a new one.</Notice>

interface PasswordFormProps {
  token: string
  /** The account has one: it is given, and nothing is set. */
  hasPassword: boolean
  onSet: (step: NextStep) => void
  onDone: () => void
}

function PasswordForm({ token, hasPassword, onSet, onDone }: PasswordFormProps) {
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  const [isOver, setIsOver] = useState(false)
  const { running, run } = useOneAction<'set'>()
  const set = async () => {
    const early = hasPassword ? undefined : newPasswordProblem(password, again)
    setProblem(early ?? null)
    if (early) return
    try {
      const outcome = await consoleCall('POST /api/console/invitation/accept', { body: { token, password } })
      if ('ticket' in outcome) onSet(outcome)
      else if ('done' in outcome) onDone()
      else if (outcome.problem === 'link_over') setIsOver(true)
      else setProblem(newPasswordSentences[outcome.problem])
    } catch (error) {
      const isWrong = error instanceof ApiError && error.code === 'invalid_credentials'
      setProblem(isWrong ? 'That is not your password.' : consoleSentence(error))
    }
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    void run('set', set)
  }
  if (isOver) return <Over />
  return (
    <form noValidate className="card grid grid-cols-1 gap-4 p-5" onSubmit={handleSubmit}>
      <PasswordField
        label="Password"
        name="password"
        value={password}
        onChange={setPassword}
        hint={
          hasPassword
            ? 'The one that you sign in with.'
            : `At least ${newPasswordLength.least} characters. A few words are fine.`
        }
        autoComplete={hasPassword ? 'current-password' : 'new-password'}
      />
      {!hasPassword && (
        <PasswordField
          label="Password again"
          name="again"
          value={again}
          onChange={setAgain}
          autoComplete="new-password"
        />
      )}
      <Failure of={problem} />
      <Button type="submit" block busy={running !== null}>
        {hasPassword ? 'Continue' : 'Set password'}
      </Button>
    </form>
  )
}
