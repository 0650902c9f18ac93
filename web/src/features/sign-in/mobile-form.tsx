import { CircleAlert, MessageSquareText } from 'lucide-react'
import { type FormEvent, useId, useState } from 'react'
import { formatCountdown } from '../../lib/dates.ts'
import { useOneAction } from '../../lib/one-action.ts'
import { AlertModal, type AlertText } from '../../ui/alert-modal.tsx'
import { Button } from '../../ui/button.tsx'
import { type Country, countries, phoneOf, withoutSpaces } from './countries.ts'
import { CountrySelect } from './country-select.tsx'
import { requestLink, tooManyAttempts } from './link.data.ts'
import { countAttempt, useMobileLock } from './mobile-lock.ts'

const locked: AlertText = { variant: 'error', text: tooManyAttempts }

/** LOGIN-09..13, LOGIN-17..21. `quiet` keeps the lock's alert back while something else has to be read first. */
export function MobileForm({ quiet }: { quiet: boolean }) {
  const [country, setCountry] = useState<Country>(countries[0])
  const [number, setNumber] = useState('')
  const [answer, setAnswer] = useState<AlertText | null>(null)
  const { running, run } = useOneAction<'request'>()
  const lock = useMobileLock()
  const isValid = country.mobile.test(number)
  const isLocked = lock.left !== null && !quiet && answer === null

  const request = async () => {
    countAttempt()
    setAnswer(await requestLink(phoneOf(country, number)))
  }
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isValid && lock.left === null) void run('request', request)
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
          onCountry={setCountry}
          onNumber={(text) => setNumber(withoutSpaces(text))}
        />
        <Button
          type="submit"
          icon={MessageSquareText}
          block
          busy={running !== null}
          disabled={!isValid || running !== null}
          className="min-h-15 text-lg"
        >
          Request link
        </Button>
      </form>
      <AlertModal alert={answer} onClose={closeAnswer} />
      <AlertModal
        alert={isLocked ? locked : null}
        button={lock.left ? formatCountdown(lock.left) : 'OK'}
        locked={lock.left !== 0}
        onClose={lock.dismiss}
      />
    </>
  )
}

interface MobileNumberProps {
  country: Country
  number: string
  /** What the number should look like, once one that does not has been typed. */
  problem: string | null
  onCountry: (country: Country) => void
  onNumber: (text: string) => void
}

function MobileNumber({ country, number, problem, onCountry, onNumber }: MobileNumberProps) {
  const id = useId()
  return (
    <div>
      <div className="flex flex-wrap items-end gap-2">
        <CountrySelect value={country} onChange={onCountry} />
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
