import { useState } from 'react'
import { useOneAction } from '#web/lib/one-action.ts'
import { useStore } from '#web/lib/store.ts'
import { consoleEndedStore, consoleSentence } from '#web/session/console-session.ts'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Link } from '#web/ui/link.tsx'
import { Notice } from '#web/ui/notice.tsx'
import type { NextStep } from '../calls/console-sign-in.ts'
import { signIn } from './console-sign-in.data.ts'
import { Entrance, EntranceForm } from './entrance.tsx'
import { SecondStep } from './second-step.tsx'

/** Password, then the second factor. Drawn at the address that was wanted. */
export function SignInPage({ onOpened }: { onOpened: () => void }) {
  const [step, setStep] = useState<NextStep | null>(null)
  const hasEnded = useStore(consoleEndedStore)
  return (
    <Entrance title="Administration" foot="For administrators of All Wardens.">
      {hasEnded && !step && <Notice>Your session has ended. Please sign in again.</Notice>}
      {step ? (
        <SecondStep step={step} onOpened={onOpened} onOver={() => setStep(null)} />
      ) : (
        <PasswordForm onProven={setStep} />
      )}
    </Entrance>
  )
}

function PasswordForm({ onProven }: { onProven: (step: NextStep) => void }) {
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [error, setError] = useState<string | null>(null)
  const { running, run } = useOneAction<'sign-in'>()
  const handleSubmit = () =>
    run('sign-in', async () => {
      setError(null)
      if (!name.trim() || !password) return setError('Enter your email or user name and your password.')
      try {
        onProven(await signIn(name, password))
      } catch (failure) {
        setError(consoleSentence(failure))
      }
    })
  return (
    <EntranceForm submit="Sign in" busy={running !== null} error={error} onSubmit={handleSubmit}>
      <TextField
        label="Email or user name"
        name="username"
        value={name}
        onChange={setName}
        maxLength={254}
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <PasswordField
        label="Password"
        name="password"
        value={password}
        onChange={setPassword}
        autoComplete="current-password"
      />
      <Link to="/forgot-password" className="console-link">
        Forgot Password
      </Link>
    </EntranceForm>
  )
}
