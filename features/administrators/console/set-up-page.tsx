import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { type TypeSet, typeSets, typeSetWords } from '#features/organisation/type-sets.ts'
import type { NextStep } from '#features/sign-in/calls/console-sign-in.ts'
import { ApiError } from '#kernel/client/client.ts'
import { newPasswordLength } from '#kernel/limits.ts'
import { countries, zonesWith } from '#web/console/form/choices.ts'
import { type Form, useForm } from '#web/console/form/use-form.ts'
import { dropQuery } from '#web/pages/navigate.ts'
import { Button } from '#web/ui/button.tsx'
import { PasswordField } from '#web/ui/fields/password-field.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { makeOrganisation } from './administration.data.ts'

const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone
const zones = zonesWith(ownZone)
/** A first guess. Everything can be changed. */
const ownCountry = ownZone.startsWith('Pacific/Auckland')
  ? 'NZ'
  : ownZone.startsWith('America/')
    ? 'US'
    : ownZone === 'Europe/London'
      ? 'UK'
      : 'AU'

const empty = {
  token: '',
  name: '',
  code: '',
  country: ownCountry as string,
  timezone: ownZone,
  first_name: '',
  last_name: '',
  email: '',
  mobile: '',
  password: '',
  again: '',
  set: '',
}
type Fields = typeof empty
type FieldName = keyof Fields

/** A choice has no place for an error: what is wrong with it stands above the button. */
const fieldOf = (name: string) =>
  name in empty && name !== 'country' && name !== 'timezone' && name !== 'set' ? (name as FieldName) : undefined

/** 'Harbour School' suggests HARBOUR-SCHOOL. */
const codeFrom = (name: string) =>
  name
    .normalize('NFD')
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, ' ')
    .trim()
    .replaceAll(' ', '-')
    .slice(0, 20)

const bindOf = (form: Form<Fields>) => (name: FieldName, label: string) => ({ label, name, ...form.field(name) })

/** The form, and whether the server answered that someone has set it up already. */
function useSetUp(onMade: (step: NextStep) => void) {
  const [begun] = useState<Fields>(() => ({ ...empty, token: location.hash.slice(1) }))
  const [isSetUp, setIsSetUp] = useState(false)
  const made = useRef<NextStep>(null)
  useEffect(() => {
    if (location.hash) dropQuery()
  }, [])
  const make = async (fields: Fields) => {
    const { token, name, code, country, timezone, first_name, last_name, email, mobile, password, again, set } = fields
    setIsSetUp(false)
    try {
      made.current = await makeOrganisation({
        token: token.trim(),
        organisation: { name, code, country, timezone },
        administrator: { first_name, last_name, email, mobile },
        password,
        again,
        ...(set && { set: set as TypeSet }),
      })
    } catch (error) {
      setIsSetUp(error instanceof ApiError && error.code === 'already_set_up')
      throw error
    }
  }
  const form = useForm({ stored: begun, save: make, fieldOf, onSaved: () => made.current && onMade(made.current) })
  return { form, isSetUp }
}

/** From the address that the server printed. The token is behind `#`, which no server sees. */
export function SetUpPage({ onMade }: { onMade: (step: NextStep) => void }) {
  const { form, isSetUp } = useSetUp(onMade)
  const [isOwnCode, setIsOwnCode] = useState(false)
  const frame = useRef<HTMLFormElement>(null)
  const { values: fields, refused, failure } = form
  useEffect(() => {
    if (refused > 0) frame.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus()
  }, [refused])
  const bind = bindOf(form)
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    form.submit()
  }

  return (
    <form ref={frame} noValidate className="grid grid-cols-1 gap-4" onSubmit={handleSubmit}>
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
        <TextField
          {...bind('name', 'Name')}
          onChange={(name) => form.set({ name, ...(!isOwnCode && { code: codeFrom(name) }) })}
          autoComplete="organization"
          ref={focus}
        />
        <TextField
          {...bind('code', 'Code')}
          hint="A short name for files and commands. It cannot be changed later."
          onChange={(code) => {
            setIsOwnCode(true)
            form.set({ code })
          }}
          autoComplete="off"
          spellCheck={false}
        />
        <SelectField
          label="Country"
          value={fields.country}
          options={countries}
          onChange={(country: string) => form.set({ country })}
        />
        <SelectField
          label="Time zone"
          value={fields.timezone}
          options={zones}
          onChange={(timezone: string) => form.set({ timezone })}
        />
        <KindOfPlace form={form} />
      </Group>
      <You form={form} />
      <div role="alert" className="empty:hidden">
        {failure && (
          <Notice variant="danger">
            <p>{failure}</p>
            {isSetUp && (
              <a className="console-link" href="/console">
                Sign in
              </a>
            )}
          </Notice>
        )}
      </div>
      <Button type="submit" block busy={form.isSaving}>
        Continue
      </Button>
    </form>
  )
}

const sets = [
  { value: '', label: 'Something else' },
  ...typeSets.map((value) => ({ value: value as string, label: typeSetWords[value] })),
]

const KindOfPlace = ({ form }: { form: Form<Fields> }) => (
  <SelectField
    label="What kind of place is this?"
    hint="Its event types are there from the start. You can add a set of them later."
    value={form.values.set}
    options={sets}
    onChange={(set: string) => form.set({ set })}
  />
)

function You({ form }: { form: Form<Fields> }) {
  const bind = bindOf(form)
  return (
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
        hint={`At least ${newPasswordLength.least} characters. A few words are fine.`}
        autoComplete="new-password"
      />
      <PasswordField {...bind('again', 'Password again')} autoComplete="new-password" />
    </Group>
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
