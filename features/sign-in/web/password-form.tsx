import { LogIn } from 'lucide-react'
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { useOneAction } from '#web/lib/one-action.ts'
import { navigate } from '#web/pages/navigate.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { AlertModal, type AlertText } from '#web/ui/popups/alert-modal.tsx'
import { type PasswordEntry, passwordProblem } from './password-problem.ts'
import { signInByPassword } from './sign-in.data.ts'

const empty: PasswordEntry = { emailOrUsername: '', password: '' }

export function PasswordForm() {
  const [entry, setEntry] = useState(empty)
  const [alert, setAlert] = useState<AlertText | null>(null)
  const backTo = useRef<keyof PasswordEntry>('password')
  const form = useRef<HTMLFormElement>(null)
  const { running, run } = useOneAction<'sign-in'>()
  const isEmpty = !entry.emailOrUsername.trim() || !entry.password

  const submit = () => {
    const problem = passwordProblem(entry)
    backTo.current = problem?.field ?? 'password'
    if (problem) setAlert({ variant: 'error', text: problem.text })
    else void run('sign-in', signIn)
  }
  const signIn = async () => {
    const refusal = await signInByPassword(entry)
    if (refusal) setAlert(refusal)
    else navigate('/reportinlist', { replace: true })
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    submit()
  }
  const closeAlert = () => {
    setAlert(null)
    // After the dialog has given the focus back: the button it came from may be disabled.
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>(`[name=${backTo.current}]`)?.focus())
  }

  return (
    <>
      <form ref={form} noValidate className="grid grid-cols-1 gap-4" onSubmit={handleSubmit}>
        <TextField
          label="Email / Username"
          name="emailOrUsername"
          value={entry.emailOrUsername}
          onChange={(emailOrUsername) => setEntry({ ...entry, emailOrUsername })}
          maxLength={254}
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          onKeyDown={onEnter(submit)}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          value={entry.password}
          onChange={(password) => setEntry({ ...entry, password })}
          onKeyDown={onEnter(submit)}
        />
        <Button
          type="submit"
          icon={LogIn}
          block
          busy={running !== null}
          disabled={isEmpty || running !== null}
          className="mt-1 min-h-15 text-lg"
        >
          {running ? 'Loading' : 'Sign in'}
        </Button>
      </form>
      <AlertModal alert={alert} onClose={closeAlert} />
    </>
  )
}

/** Browsers do not submit a form by Enter while its button is disabled. */
const onEnter = (submit: () => void) => (event: KeyboardEvent) => {
  if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
  event.preventDefault()
  submit()
}
