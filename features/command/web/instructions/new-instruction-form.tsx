import { SendHorizontal } from 'lucide-react'
import { useId, useState } from 'react'
import { useSearch } from 'wouter/use-browser-location'
import { actionRefusals } from '#features/events/words.ts'
import type { FloorUid } from '#kernel/ids.ts'
import * as limits from '#kernel/limits.ts'
import { useStore } from '#web/lib/store.ts'
import { responseStore } from '#web/live/response.ts'
import { dropQuery } from '#web/pages/navigate.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/fields/checkbox.tsx'
import { TextArea } from '#web/ui/fields/text-field.tsx'
import { type ChosenKind, chosenKinds, movingKinds } from '../../kinds.ts'
import { instructionPreset, instructionWord, quietSentences } from '../../words.ts'
import { type Chosen, floorsOf, whereOf } from './chosen-floors.ts'
import { ConfirmInstruction } from './confirm-instruction.tsx'
import { FloorsPicker } from './floors-picker.tsx'
import { instructionIcon } from './instruction-look.ts'
import type { Places } from './instructions.data.ts'

/** What the address names: a floor, if it is in the event, and a kind. */
function useAddress(places: Places): { chosen: Chosen; kind: ChosenKind | undefined } {
  const given = new URLSearchParams(useSearch())
  const floor = given.get('floor') as FloorUid | null
  const isKnown = floor !== null && places.some(({ floors }) => floors.some(({ id }) => id === floor))
  return { chosen: new Set(isKnown ? [floor] : []), kind: chosenKinds.find((one) => one === given.get('kind')) }
}

/** A warden of several floors reads which one the address named. */
function sentenceAt(chosen: Chosen, kind: ChosenKind, places: Places): string {
  const preset: string = instructionPreset[kind]
  const named = `${whereOf(floorsOf(chosen, places), places)}. ${preset}`
  return chosen.size > 0 && named.length <= limits.messageLength ? named : preset
}

/**
 * Kind, sentence, floors. What was chosen stays until it is sent. An address with floor and kind
 * asks for the confirmation at once.
 */
export function NewInstructionForm({ places, smsAllowed }: { places: Places; smsAllowed: boolean }) {
  const given = useAddress(places)
  const quiet = useQuiet(places)
  const offered = chosenKinds.filter((one) => !(quiet.isEverywhere && movingKinds.includes(one)))
  const [wanted, setKind] = useState<ChosenKind>(given.kind ?? 'evacuate')
  // what an address asks for stays, and is refused in words
  const kind = given.kind === wanted || offered.includes(wanted) ? wanted : 'stay'
  const [message, setMessage] = useState(() => sentenceAt(given.chosen, kind, places))
  const [chosen, setChosen] = useState(given.chosen)
  const [texts, setTexts] = useState(true)
  const [isAsking, setAsking] = useState(given.kind !== undefined && given.chosen.size > 0)
  const floors = floorsOf(chosen, places)
  const refusal = quiet.hasAny(chosen) && movingKinds.includes(kind) ? quietSentence(kind) : null
  const missing = whatIsMissing({ message, floors, refusal })
  const choose = (next: ChosenKind) => {
    setKind(next)
    setMessage(instructionPreset[next])
  }
  return (
    <div className="grid grid-cols-1 items-start gap-4 wide:grid-cols-2">
      <div className="grid grid-cols-1 gap-4">
        <Kinds kind={kind} offered={offered} onChoose={choose} />
        <TextArea
          label="Sentence"
          rows={3}
          maxLength={limits.messageLength}
          value={message}
          hint={<span className="tabular-nums">{`${message.length}/${limits.messageLength}`}</span>}
          onChange={setMessage}
        />
        {smsAllowed && (
          <Checkbox label="Also text anyone who has not confirmed after a minute" checked={texts} onChange={setTexts} />
        )}
      </div>
      <FloorsPicker places={places} chosen={chosen} onChoose={setChosen} />
      <div className="grid grid-cols-1 gap-2 wide:col-span-2">
        <p role="status" className="text-muted">
          {missing ?? whereOf(floors, places)}
        </p>
        <Button
          icon={SendHorizontal}
          block
          className="min-h-16 text-lg"
          aria-disabled={missing !== null || undefined}
          onClick={() => missing === null && setAsking(true)}
        >
          Send
        </Button>
      </div>
      {isAsking && missing === null && (
        <ConfirmInstruction
          instruction={{ kind, message, floors, text: texts && smsAllowed ? 'yes' : 'no' }}
          places={places}
          onSent={() => setChosen(new Set())}
          onClose={() => {
            setAsking(false)
            // anyone who comes back or reloads is not asked again
            dropQuery()
          }}
        />
      )}
    </div>
  )
}

/** Where people hide, and no one is sent to look. */
function useQuiet(places: Places) {
  const quiet = useStore(responseStore)?.quiet
  const own = places.filter(({ id }) => quiet?.has(id))
  return {
    isEverywhere: places.length > 0 && own.length === places.length,
    hasAny: (chosen: Chosen) => own.some(({ floors }) => floors.some(({ id }) => chosen.has(id))),
  }
}

const quietSentence = (kind: ChosenKind) =>
  kind === 'evacuate' ? quietSentences.evacuate : actionRefusals.quiet_building

function whatIsMissing(of: { message: string; floors: ReturnType<typeof floorsOf>; refusal: string | null }) {
  if (of.message.trim() === '') return 'Write a sentence.'
  if (of.floors.length === 0) return 'Choose the floors it is for.'
  return of.refusal
}

interface KindsProps {
  kind: ChosenKind
  offered: readonly ChosenKind[]
  onChoose: (kind: ChosenKind) => void
}

function Kinds({ kind, offered, onChoose }: KindsProps) {
  const name = useId()
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 font-semibold">Instruction</legend>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-2">
        {offered.map((one) => {
          const Icon = instructionIcon[one]
          return (
            <label
              key={one}
              className={`btn relative min-h-16 justify-start gap-3 px-3 text-left text-lg has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-link ${
                one === kind ? 'bg-link text-canvas forced-colors:bg-[Highlight]' : 'border-line bg-surface'
              }`}
            >
              <input
                type="radio"
                name={name}
                checked={one === kind}
                onChange={() => onChoose(one)}
                className="absolute inset-0 cursor-[inherit] opacity-0"
              />
              <Icon aria-hidden className="shrink-0" />
              {instructionWord[one]}
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}
