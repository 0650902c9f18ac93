import { useState } from 'react'
import { endsPlans } from '#features/authority/words.ts'
import { Fields, type FieldsOf } from '#web/console/form/fields.tsx'
import { FormFrame, type FormFrameProps } from '#web/console/form/form-frame.tsx'
import { type FormOptions, useForm } from '#web/console/form/use-form.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { Notice } from '#web/ui/notice.tsx'
import type { Person, PersonFields } from './people.data.ts'
import { PlaceFields, useBuildings, useFloors } from './place-fields.tsx'

export type PersonValues = {
  first_name: string
  last_name: string
  kind: string
  building: string
  floor: string
  visit_date: string
  email: string
  mobile: string
  second_mobile: string
  username: string
  code: string
  /** Of a new person. The groups of the others have a panel of their own. */
  groups: readonly string[]
}

export const noPerson: PersonValues = {
  first_name: '',
  last_name: '',
  kind: 'staff',
  building: '',
  floor: '',
  visit_date: '',
  email: '',
  mobile: '',
  second_mobile: '',
  username: '',
  code: '',
  groups: [],
}

export const valuesOf = (person: Person): PersonValues => ({
  first_name: person.first_name,
  last_name: person.last_name,
  kind: person.kind,
  code: person.code,
  building: person.building?.uid ?? '',
  floor: person.floor?.uid ?? '',
  visit_date: person.visit_date ?? '',
  email: person.email ?? '',
  mobile: person.mobile ?? '',
  second_mobile: person.second_mobile ?? '',
  username: person.username ?? '',
  groups: [],
})

/** What the form has changed, as the call takes it. */
export function changesOf(values: PersonValues, stored: PersonValues): PersonFields {
  const { building, floor, groups: _, ...cells } = values
  const changed = Object.entries(cells).filter(([name, value]) => value !== stored[name as keyof PersonValues])
  const isMoved = building !== stored.building || floor !== stored.floor || values.kind !== stored.kind
  // a building without a floor is a place for visitors, and the server says so
  return { ...Object.fromEntries(changed), ...(isMoved && { place: (floor || building || null) as never }) }
}

type Save = FormOptions<PersonValues>['save']

interface PersonFormProps extends Pick<FormOptions<PersonValues>, 'stored' | 'readAgain' | 'onSaved'> {
  /** `keepsPlans`: the permission to see plans, which the new address ends, is given again. */
  save: (...saving: [...Parameters<Save>, keepsPlans: boolean]) => ReturnType<Save>
  onCancel: () => void
  /** Why email, mobile and user name are not theirs to change. */
  refusal?: string | null
  /** Whose permission to see plans a new address ends. */
  endsPlansOf?: string | null
  /** They have the permission too, and may give it again. */
  mayKeepPlans?: boolean
  submit?: string
  /** Of a new person: the groups that there are. */
  groupChoices?: readonly Choice[]
  /** The button of the next person, and where the keyboard begins with them. */
  another?: FormFrameProps<PersonValues>['another']
  isNext?: boolean
}

interface Choice {
  value: string
  label: string
}

const isOfStaff = ({ kind }: PersonValues) => kind === 'staff'
const kinds = [
  { value: 'staff', label: 'Staff' },
  { value: 'visitor', label: 'Visitor' },
]
/** A browser would fill in the administrator's own. */
const own = { autoComplete: 'off' } as const

/** The fields of a person. */
export function PersonForm({
  onCancel,
  refusal = null,
  endsPlansOf = null,
  mayKeepPlans = false,
  submit = 'Save',
  groupChoices = [],
  another,
  isNext = false,
  save,
  ...options
}: PersonFormProps) {
  const [keepsPlans, setKeepsPlans] = useState(false)
  const form = useForm<PersonValues>({
    ...options,
    save: (values, sending) => save(values, sending, keepsPlans),
    fieldOf: (name) => (name in noPerson ? (name as keyof PersonValues) : undefined),
  })
  const { values, set } = form
  const [buildings, floors] = [useBuildings(), useFloors(values.building)]
  const isStaff = isOfStaff(values)
  const isMoved = (['email', 'mobile', 'username'] as const).some((name) => values[name] !== options.stored[name])
  const fields: FieldsOf<PersonValues> = {
    first_name: { label: 'First name', ...own, autoFocus: isNext },
    last_name: { label: 'Last name', ...own },
    kind: { label: 'Kind', options: kinds },
    building: { label: 'Building', options: buildings },
    floor: { label: 'Floor', options: floors },
    visit_date: { label: 'Day of the visit', type: 'date', when: (now) => !isOfStaff(now) },
    groups: { label: 'Groups' },
    email: { label: 'Email', type: 'email', ...own },
    mobile: { label: 'Mobile', type: 'tel', ...own },
    second_mobile: { label: 'Second number', type: 'tel', hint: 'Called if the mobile does not answer.', ...own },
    username: { label: 'User name', ...own, when: isOfStaff },
    code: { label: 'Code', ...own, hint: options.stored.code === '' && 'If empty, one is made.' },
  }
  const draw = (...only: (keyof PersonValues)[]) => <Fields of={fields} form={form} only={only} />
  return (
    <FormFrame form={form} fields={fields} onCancel={onCancel} save={submit} another={another}>
      <div className="console-pair">{draw('first_name', 'last_name')}</div>
      {draw('kind')}
      <PlaceFields
        building={values.building}
        floor={values.floor}
        onChange={set}
        none={isStaff ? 'None' : 'Somewhere in the building'}
        error={form.errors.floor}
      />
      {isStaff && values.floor === '' && (
        <Notice variant="warning">Not counted in any event until a floor is set.</Notice>
      )}
      {draw('visit_date')}
      {groupChoices.length > 0 && (
        <GroupsField choices={groupChoices} chosen={values.groups} onChange={(groups) => set({ groups })} />
      )}
      <fieldset className="grid grid-cols-1 gap-4" disabled={refusal !== null}>
        <legend className="sr-only">Contact and sign-in</legend>
        {refusal && <Notice>{refusal}</Notice>}
        {endsPlansOf && isMoved && <Notice variant="warning">{endsPlans(endsPlansOf)}</Notice>}
        {endsPlansOf && isMoved && mayKeepPlans && (
          <Checkbox label="Give it again" checked={keepsPlans} onChange={setKeepsPlans} />
        )}
        <div className="console-pair">{draw('mobile', 'second_mobile')}</div>
        <div className="console-pair">{draw('email', 'username')}</div>
        {draw('code')}
      </fieldset>
    </FormFrame>
  )
}

interface GroupsFieldProps {
  choices: readonly Choice[]
  chosen: readonly string[]
  onChange: (chosen: readonly string[]) => void
}

function GroupsField({ choices, chosen, onChange }: GroupsFieldProps) {
  const others = choices.filter(({ value }) => !chosen.includes(value))
  return (
    <div className="grid gap-2">
      {others.length > 0 && (
        <SelectField
          label="Add to a group"
          value=""
          placeholder="Choose"
          options={others}
          onChange={(group: string) => onChange([...chosen, group])}
        />
      )}
      <ul aria-label="Groups" className="flex flex-wrap gap-2 empty:hidden">
        {choices
          .filter(({ value }) => chosen.includes(value))
          .map(({ value, label }) => (
            <li key={value}>
              <Button
                variant="quiet"
                aria-label={`Remove from ${label}`}
                onClick={() => onChange(chosen.filter((one) => one !== value))}
              >
                {label} ×
              </Button>
            </li>
          ))}
      </ul>
    </div>
  )
}
