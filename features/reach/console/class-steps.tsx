import { Plus, Trash2 } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { type ReachClass, type Step, stepLimits, stepsOfPlan, type Way, ways } from '../kinds.ts'
import { classWords, planWords, wayWords } from '../words.ts'
import { planOf, stepOf, stepText } from './reaching.data.ts'

interface ClassStepsProps {
  reachClass: ReachClass
  value: readonly string[]
  error: string | undefined
  onChange: (value: readonly string[]) => void
}

const own = 'own'
const choices = [
  { value: 'as_before', label: planWords.as_before },
  { value: 'until_they_answer', label: planWords.until_they_answer },
  { value: own, label: 'Own steps' },
]

/** How one class is reached: a plan with its steps in words, or rows of own steps. */
export function ClassSteps({ reachClass, value, error, onChange }: ClassStepsProps) {
  const plan = planOf(value)
  const choose = (chosen: string) => {
    if (chosen !== own) return onChange([chosen])
    const steps = stepsOfPlan[plan ?? 'as_before'][reachClass]
    onChange((steps.length > 0 ? steps : [{ way: 'text' as const, seconds: 0 }]).map(stepText))
  }
  return (
    <fieldset className="grid gap-3 border-t border-hairline pt-4" aria-invalid={error ? true : undefined}>
      <legend className="console-legend text-lg font-bold">{classWords[reachClass]}</legend>
      <SelectField
        label={`How: ${classWords[reachClass]}`}
        value={plan ?? own}
        options={choices}
        hint={plan && inWords(stepsOfPlan[plan][reachClass])}
        onChange={choose}
      />
      {!plan && <OwnSteps reachClass={reachClass} value={value} onChange={onChange} />}
      {error && (
        <p role="alert" className="text-sm text-danger-ink">
          {error}
        </p>
      )}
    </fieldset>
  )
}

/** 'At once: alert, text. After 60 s: call.' */
function inWords(steps: readonly Step[]): string {
  if (steps.length === 0) return 'Nothing is sent.'
  const together = Map.groupBy(steps, ({ seconds }) => seconds)
  const sentences = [...together].map(([seconds, at]) => {
    const ways = at.map(({ way }) => wayWords[way]).join(', ')
    return `${seconds === 0 ? 'At once' : `After ${seconds} s`}: ${ways.toLowerCase()}.`
  })
  return sentences.join(' ')
}

/** Those who are called second are called about events alone. */
const waysOf = (reachClass: ReachClass) =>
  ways
    .filter((way) => way !== 'next' || reachClass === 'report_in')
    .map((way) => ({ value: way, label: wayWords[way] }))

function OwnSteps({ reachClass, value, onChange }: Omit<ClassStepsProps, 'error'>) {
  const steps = value.map((text) => ({ ...stepOf(text), text }))
  const change = (nth: number, text: string) => onChange(value.map((old, at) => (at === nth ? text : old)))
  return (
    <>
      <ol className="grid gap-2">
        {steps.map(({ way, text }, nth) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a step is its place
          <li key={nth} className="grid grid-cols-[minmax(0,1fr)_7rem_auto] items-end gap-2">
            <SelectField
              label={`Way ${nth + 1}`}
              value={way}
              options={waysOf(reachClass)}
              onChange={(chosen: Way) => change(nth, `${chosen} ${text.split(' ')[1] ?? ''}`)}
            />
            <TextField
              label={`Seconds ${nth + 1}`}
              value={text.split(' ')[1] ?? ''}
              inputMode="numeric"
              maxLength={3}
              onChange={(seconds) => change(nth, `${way} ${seconds.replace(/\D/g, '')}`)}
            />
            <IconButton
              icon={Trash2}
              label={`Remove step ${nth + 1} of ${classWords[reachClass]}`}
              disabled={value.length === 1}
              onClick={() => onChange(value.filter((_, at) => at !== nth))}
            />
          </li>
        ))}
      </ol>
      {value.length < stepLimits.steps && (
        <Button
          variant="outline"
          icon={Plus}
          className="w-fit"
          aria-label={`Add a step to ${classWords[reachClass]}`}
          onClick={() => onChange([...value, `call ${steps.at(-1)?.seconds ?? 0}`])}
        >
          Add a step
        </Button>
      )}
    </>
  )
}
