import { Mail } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useOneAction } from '#web/lib/one-action.ts'
import { navigate } from '#web/pages/navigate.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Link } from '#web/ui/link.tsx'
import { Page } from '#web/ui/page.tsx'
import { AlertModal, type AlertText } from '#web/ui/popups/alert-modal.tsx'
import { requestLink } from './password-reset.data.ts'
import { resetElsewhere } from './reset-elsewhere.tsx'

/** Behind 'Forgot Password' where no page elsewhere resets passwords; its address can be opened anywhere. */
export function ForgotPasswordScreen() {
  return (
    <Page>
      {resetElsewhere() ?? <EmailForm />}
      <Link to="/login" className={buttonClass('outline', true)}>
        Back to sign in
      </Link>
    </Page>
  )
}

function EmailForm() {
  const [email, setEmail] = useState('')
  const [alert, setAlert] = useState<AlertText | null>(null)
  const { running, run } = useOneAction<'request'>()

  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    void run('request', async () => setAlert(await requestLink(email)))
  }
  const closeAlert = () => {
    setAlert(null)
    if (alert?.variant === 'success') navigate('/login', { replace: true })
  }

  return (
    <form noValidate className="card grid grid-cols-1 gap-4 p-4" onSubmit={handleSubmit}>
      <p>We will email you a link to set a new password.</p>
      <TextField
        label="Email"
        name="email"
        type="email"
        value={email}
        onChange={setEmail}
        maxLength={254}
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
      />
      <Button
        type="submit"
        icon={Mail}
        block
        busy={running !== null}
        disabled={!email.trim() || running !== null}
        className="min-h-15 text-lg"
      >
        Send link
      </Button>
      <p className="text-sm text-muted">No email on your account? Please ask your administrator for a new password.</p>
      <AlertModal alert={alert} onClose={closeAlert} />
    </form>
  )
}
