import { type FormEvent, type ReactNode, useEffect, useState } from 'react'
import type { NextStep } from '#features/sign-in/calls/console-sign-in.ts'
import { ApiError } from '#kernel/client/client.ts'
import { newPasswordProblem, newPasswordProblems } from '#web/lib/new-password.ts'
import { useOneAction } from '#web/lib/one-action.ts'
import { dropQuery } from '#web/pages/navigate.ts'
import { consoleSentence } from '#web/session/console-session.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { makeOrganisation } from './administration.data.ts'

const countries = [
  { value: 'AU', label: 'Australia' },
  { value: 'NZ', label: 'New Zealand' },
  { value: 'US', label: 'United States' },
  { value: 'UK', label: 'United Kingdom' },
] as const

const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone
/** The browser's own zone may be one that it does not list, such as UTC. */
const zones = [...new Set([ownZone, ...Intl.supportedValuesOf('timeZone')])]
  .sort()
  .map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))
/** A first guess. Everything can be changed. */
const ownCountry = ownZone.startsWith('Pacific/Auckland')
  ? 'NZ'
  : ownZone.startsWith('America/')
    ? 'US'
    : ownZone === 'Europe/London'
      ? 'UK'
      : 'AU'

const empty = {
  ...{ token: '', name: '', code: '', country: ownCountry as string, timezone: ownZone },
  ...{ first_name: '', last_name: '', email: '', mobile: '', password: '', again: '' },
}
type Fields = typeof empty
type FieldName = keyof Fields

/** 'Harbour School' suggests HARBOUR-SCHOOL. */
const codeFrom = (name: string) =>
  name
    .normalize('NFD')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, ' ')
    .trim()
    .replaceAll(' ', '-')
    .slice(0, 20)

/** From the address that the server printed. The token is behind `#`, which no server sees. */
export function SetUpPage({ onMade }: { onMade: (step: NextStep) => void }) {
  const [fields, setFields] = useState<Fields>(() => ({ ...empty, token: location.hash.slice(1) }))
  const [isOwnCode, setIsOwnCode] = useState(false)
  const [problem, setProblem] = useState<{ field?: string; text: string; isSetUp?: boolean } | null>(null)
  const { running, run } = useOneAction<'make'>()
  useEffect(() => {
    if (location.hash) dropQuery()
  }, [])

  const set = (name: FieldName) => (value: string) =>
    setFields((before) => ({
      ...before,
      [name]: value,
      ...(name === 'name' && !isOwnCode && { code: codeFrom(value) }),
    }))
  const bind = (name: FieldName, label: string) => ({
    label,
    name,
    value: fields[name],
    onChange: set(name),
    error: problem?.field === name ? problem.text : undefined,
  })

  const make = async () => {
    setProblem(null)
    const { token, name, code, country, timezone, first_name, last_name, email, mobile, password, again } = fields
    const early = newPasswordProblem(password, again)
    if (early) return setProblem({ field: early.startsWith('The two') ? 'again' : 'password', text: early })
    try {
      const made = await makeOrganisation({
        token: token.trim(),
        organisation: { name, code, country, timezone },
        administrator: { first_name, last_name, email, mobile },
        password,
      })
      if ('problem' in made) setProblem({ field: 'password', text: newPasswordProblems[made.problem] })
      else onMade(made)
    } catch (error) {
      const field = error instanceof ApiError ? error.fields[0] : undefined
      const isSetUp = error instanceof ApiError && error.code === 'already_set_up'
      setProblem({ ...(field && { field }), text: consoleSentence(error), isSetUp })
    }
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    void run('make', make)
  }

  return (
    <form noValidate className="grid grid-cols-1 gap-4" onSubmit={handleSubmit}>
      <p>This creates your organisation and makes you its first administrator. It takes about two minutes.</p>
      <Group>
        <TextField
          {...bind('token', 'Token')}
          hint="From the address that the server printed."
          autoComplete="off"
          spellCheck={false}
        />
      </Group>
      <Group title="Organisation">
        <TextField {...bind('name', 'Name')} autoComplete="organization" ref={focus} />
        <TextField
          {...bind('code', 'Code')}
          hint="A short name for files and commands. It cannot be changed later."
          onChange={(value) => {
            setIsOwnCode(true)
            set('code')(value)
          }}
          autoComplete="off"
          spellCheck={false}
        />
        <SelectField label="Country" value={fields.country} options={countries} onChange={set('country')} />
        <SelectField label="Time zone" value={fields.timezone} options={zones} onChange={set('timezone')} />
      </Group>
      <Group title="You">
        <TextField {...bind('first_name', 'First name')} autoComplete="given-name" />
        <TextField {...bind('last_name', 'Last name')} autoComplete="family-name" />
        <TextField
          {...bind('email', 'Email')}
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
        />
        <TextField {...bind('mobile', 'Mobile (optional)')} type="tel" inputMode="tel" autoComplete="tel" />
        <PasswordField
          {...bind('password', 'Password')}
          hint="At least 15 characters. A few words are fine."
          autoComplete="new-password"
        />
        <PasswordField {...bind('again', 'Password again')} autoComplete="new-password" />
      </Group>
      <div role="alert" className="empty:hidden">
        {problem && (
          <Notice variant="danger">
            <p>{problem.text}</p>
            {problem.isSetUp && (
              <a className="console-link" href="/console">
                Sign in
              </a>
            )}
          </Notice>
        )}
      </div>
      <Button type="submit" block busy={running !== null}>
        Continue
      </Button>
    </form>
  )
}

/** The token is there already: the keyboard begins behind it. */
const focus = (field: HTMLInputElement | null) => field?.focus()

function Group({ title, children }: { title?: string; children: ReactNode }) {
  return (
    <fieldset className="card grid grid-cols-1 gap-4 p-5">
      {title && <legend className="console-legend text-lg font-bold">{title}</legend>}
      {children}
    </fieldset>
  )
}
