import { KeyRound } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLocationProperty, useSearch } from 'wouter/use-browser-location'
import { newPasswordLength } from '#kernel/limits.ts'
import { useOneAction } from '#web/lib/one-action.ts'
import { dropQuery, navigate } from '#web/pages/navigate.ts'
import { readLinkTokens } from '#web/session/sign-in-link/link-tokens.ts'
import { Button, buttonClass } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { Link } from '#web/ui/link.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Page } from '#web/ui/page.tsx'
import { AlertModal } from '#web/ui/popups/alert-modal.tsx'
import { type Setting, setPassword } from './password-reset.data.ts'
import { resetElsewhere } from './reset-elsewhere.tsx'

/** What the mailed link opens. Only the button uses the link up. */
export function ResetPasswordScreen() {
  const token = useToken()
  return <Page>{resetElsewhere() ?? (token ? <NewPasswordForm token={token} /> : <NoToken />)}</Page>
}

function NoToken() {
  return (
    <>
      <Notice variant="warning">Open the link in your email again, or request another.</Notice>
      <Link to="/forgot-password" className={buttonClass('blue', true)}>
        Request another link
      </Link>
    </>
  )
}

/** The token that the page was opened with. The address loses it at once: the history does not keep it. */
function useToken(): string | null {
  const search = useSearch()
  const hash = useLocationProperty(() => location.hash)
  const [token, setToken] = useState(() => readLinkTokens({ search, hash }).token)
  useEffect(() => {
    const { token: opened } = readLinkTokens({ search, hash })
    if (opened) setToken(opened)
    if (search || hash) dropQuery()
  }, [search, hash])
  return token
}

function NewPasswordForm({ token }: { token: string }) {
  const [password, setPasswordText] = useState('')
  const [setting, setSetting] = useState<Setting | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const { running, run } = useOneAction<'set'>()

  const set = async () => {
    const done = await setPassword(token, password)
    if (done.next === '/login') navigate('/login', { replace: true, state: { alert: done.alert } })
    else setSetting(done)
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (password) void run('set', set)
  }
  const closeAlert = () => {
    setSetting(null)
    if (setting?.next) return navigate(setting.next, { replace: true })
    // After the dialog has given the focus back.
    requestAnimationFrame(() => form.current?.querySelector('input')?.focus())
  }

  return (
    <form ref={form} noValidate className="card grid grid-cols-1 gap-4 p-4" onSubmit={handleSubmit}>
      <PasswordField
        label="New password"
        name="password"
        autoComplete="new-password"
        hint={`At least ${newPasswordLength.least} characters. A few words together are easy to remember.`}
        value={password}
        onChange={setPasswordText}
      />
      <Button
        type="submit"
        icon={KeyRound}
        block
        busy={running !== null}
        disabled={!password || running !== null}
        className="min-h-15 text-lg"
      >
        Set password
      </Button>
      <p className="text-sm text-muted">You will be signed out on every phone and computer.</p>
      <AlertModal alert={setting?.alert ?? null} onClose={closeAlert} />
    </form>
  )
}
