import { CircleAlert, MessageSquareText } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { useOneAction } from '#web/lib/one-action.ts'
import { Button } from '#web/ui/button.tsx'
import { AlertModal, type AlertText } from '#web/ui/popups/alert-modal.tsx'
import { type Country, phoneOf, readEntry } from './countries.ts'
import { CountrySelect } from './country-select.tsx'
import { requestLink } from './link.data.ts'
import { countFailedAttempt, useMobileLock } from './mobile-lock.ts'
import { MobileLocked } from './mobile-locked.tsx'
import { readCountry, storeCountry } from './stored-country.ts'

export function MobileForm() {
  const [{ country, number }, setEntry] = useState(() => ({ country: readCountry(), number: '' }))
  const [answer, setAnswer] = useState<AlertText | null>(null)
  const { running, run } = useOneAction<'request'>()
  const lock = useMobileLock()
  const isValid = country.mobile.test(number)
  const isLocked = lock.left !== null && lock.left > 0

  const request = async () => {
    const { alert, hasFailed } = await requestLink(phoneOf(country, number))
    if (hasFailed) countFailedAttempt()
    setAnswer(alert)
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isValid && !isLocked) void run('request', request)
  }
  const choose = (chosen: Country) => {
    storeCountry(chosen)
    setEntry(readEntry(number, chosen))
  }
  const type = (text: string) => {
    const entry = readEntry(text, country)
    if (entry.country !== country) storeCountry(entry.country)
    setEntry(entry)
  }
  const closeAnswer = () => {
    setAnswer(null)
    lock.lockIfDue()
  }

  return (
    <>
      <form noValidate className="grid grid-cols-1 gap-4" onSubmit={handleSubmit}>
        <MobileNumber
          {...{ country, number }}
          problem={number !== '' && !isValid ? country.hint : null}
          disabled={isLocked}
          onCountry={choose}
          onNumber={type}
        />
        <Button
          type="submit"
          icon={MessageSquareText}
          block
          busy={running !== null}
          disabled={!isValid || isLocked || running !== null}
          className="min-h-15 text-lg"
        >
          Request link
        </Button>
        {lock.left !== null && <MobileLocked left={lock.left} onClose={lock.dismiss} />}
      </form>
      <AlertModal alert={answer} onClose={closeAnswer} />
    </>
  )
}

interface MobileNumberProps {
  country: Country
  number: string
  /** What the number should look like, once one that does not has been typed. */
  problem: string | null
  disabled: boolean
  onCountry: (country: Country) => void
  onNumber: (text: string) => void
}

function MobileNumber({ country, number, problem, disabled, onCountry, onNumber }: MobileNumberProps) {
  const id = useId()
  return (
    <div>
      <div className="flex flex-wrap items-end gap-2">
        <CountrySelect value={country} disabled={disabled} onChange={onCountry} />
        <div className="min-w-[min(100%,8rem)] flex-1">
          <label htmlFor={id} className="mb-1 block font-semibold">
            Mobile number
          </label>
          <input
            id={id}
            type="tel"
            inputMode="tel"
            autoComplete="tel-national"
            maxLength={40}
            className="field tabular-nums"
            value={number}
            disabled={disabled}
            aria-invalid={problem ? true : undefined}
            aria-describedby={problem ? `${id}-hint` : undefined}
            onChange={(event) => onNumber(event.target.value)}
          />
        </div>
      </div>
      {problem && (
        <p id={`${id}-hint`} className="mt-1 flex items-start gap-1.5 text-sm text-danger-ink">
          <CircleAlert aria-hidden size={18} className="mt-px shrink-0" />
          {problem}
        </p>
      )}
    </div>
  )
}
