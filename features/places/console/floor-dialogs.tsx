import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { FieldsDialog } from '#web/console/fields-dialog.tsx'
import { FormDialog } from '#web/console/form-dialog.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import type { ExtendedBuilding } from './open-dialog.ts'
import { type Kind, newCode, placeFields } from './place-dialogs.tsx'
import { addFloorsTo, type FloorPlace, moveFloor, readPlacesAgain } from './places.data.ts'

interface FloorDialogProps {
  to: ExtendedBuilding
  onClose: () => void
}

/** A floor or area of a building, with its place among the others. */
export function AddFloorDialog({ to: { building, name: within, floors }, onClose }: FloorDialogProps) {
  const client = useQueryClient()
  // a second press after a move that failed adds no second floor
  const added = useRef<FloorPlace['uid']>(undefined)
  const save = async ({ name, code, kind, place }: { name: string; code: string; kind: string; place: string }) => {
    const level = levelAt(floors, Number(place))
    const floor = { name, code, ...(level !== undefined && { level }) }
    added.current ??= (await addFloorsTo({ building, kind: kind as Kind, floors: [floor] })).uids[0]
    const before = floors[Number(place) - 1]
    if (added.current && before && level === undefined && Number(place) < floors.length)
      await moveFloor(added.current, before.uid)
    await readPlacesAgain(client)
  }
  const { name, kind } = placeFields
  return (
    <FieldsDialog
      title={`Add a floor to ${within}`}
      action="Add"
      done="Added."
      stored={{ name: '', code: '', kind: 'floor', place: String(floors.length) }}
      fields={{
        name,
        code: newCode,
        kind,
        place: { label: 'Place', options: placesAmong(floors), when: () => floors.length > 0 },
      }}
      onSave={save}
      onClose={onClose}
    />
  )
}

/** Where a floor may stand: the number of floors before it, from the lowest. */
const placesAmong = (floors: readonly FloorPlace[]) => [
  { value: '0', label: `Lowest, before ${floors[0]?.name}` },
  ...floors.map(({ name }, n) => ({
    value: String(n + 1),
    label: n + 1 === floors.length ? `Highest, after ${name}` : `After ${name}`,
  })),
]

/** The level that leaves all others as they are. Undefined: the highest one, or there is none. */
function levelAt(floors: readonly FloorPlace[], place: number): number | undefined {
  const [before, after] = [floors[place - 1], floors[place]]
  if (!after) return undefined
  if (!before) return after.level - 1
  return after.level > before.level + 1 ? before.level + 1 : undefined
}

/** 'Ground floor' and 'Level 1' to 'Level 12' at once. */
export function AddSeveralDialog({ to: { building, name: within, floors: present }, onClose }: FloorDialogProps) {
  const client = useQueryClient()
  const [ground, setGround] = useState(present.length > 0 ? '' : 'Ground floor')
  const [from, setFrom] = useState('1')
  const [to, setTo] = useState('10')
  const [name, setName] = useState('Level {n}')
  const levels = levelsBetween(from, to)
  const hasGround = levels[0] === 1 && ground.trim() !== ''
  const floors = [
    ...(hasGround ? [{ name: ground, level: 0 }] : []),
    ...levels.map((level) => ({ name: nameOf(name, level), level })),
  ]
  const save = async () => {
    await addFloorsTo({ building, kind: 'floor', floors })
    await readPlacesAgain(client)
  }
  return (
    <FormDialog
      title={`Add several floors to ${within}`}
      action={floors.length > 0 ? `Add ${floors.length}` : 'Add'}
      done="Added."
      fields={['name']}
      onSave={save}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <div className="grid grid-cols-2 gap-3">
            <TextField label="From" inputMode="numeric" value={from} onChange={setFrom} data-autofocus />
            <TextField
              label="To"
              inputMode="numeric"
              value={to}
              onChange={setTo}
              error={
                levels.length === 0 ? 'Enter two whole numbers, the lower one first, for up to 199 floors.' : undefined
              }
            />
          </div>
          <TextField
            label="Name"
            value={name}
            onChange={setName}
            error={errorOf('name')}
            hint={levels.length > 0 ? `${nameOf(name, levels[0])} to ${nameOf(name, levels.at(-1))}` : undefined}
          />
          {levels[0] === 1 && (
            <TextField
              label="Ground floor"
              value={ground}
              onChange={setGround}
              hint="Its name, below Level 1. Leave it empty if there is none."
            />
          )}
        </>
      )}
    </FormDialog>
  )
}

/** '{n}' in a name stands for the number of the floor. */
const nameOf = (name: string, level: number | undefined) => name.replaceAll('{n}', String(level))

/** Of 200 floors of one call, one may be the ground floor. */
const mostLevels = 199

function levelsBetween(from: string, to: string): number[] {
  const [first, last] = [from, to].map((text) => (/^-?\d{1,3}$/.test(text.trim()) ? Number(text) : Number.NaN))
  if (first === undefined || last === undefined || !(first <= last) || last - first >= mostLevels) return []
  return Array.from({ length: last - first + 1 }, (_, n) => first + n)
}
