import type { FormEvent, ReactNode } from 'react'
import { Failure } from '#web/console/failure.tsx'
import { Button } from '#web/ui/button.tsx'
import { Logo } from '#web/ui/logo.tsx'

/** The frame of the pages before the console: logo, title, one card. */
export function Entrance({ title, children, foot }: { title: string; children: ReactNode; foot?: ReactNode }) {
  return (
    <main className="column grid grid-cols-1 content-start gap-4 console-entrance py-8">
      <div className="flex items-center gap-3">
        <Logo size={40} />
        <h1 tabIndex={-1} data-page-title className="text-2xl font-bold">
          {title}
        </h1>
      </div>
      {children}
      {foot && <p className="text-center text-sm text-muted">{foot}</p>}
    </main>
  )
}

interface EntranceFormProps {
  /** Name of the button. */
  submit: string
  busy: boolean
  error?: string | null | undefined
  onSubmit: () => void
  children: ReactNode
}

/** A card with fields, the failure above its button. */
export function EntranceForm({ submit, busy, error, onSubmit, children }: EntranceFormProps) {
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (!busy) onSubmit()
  }
  return (
    <form ref={focusFirst} noValidate className="card grid grid-cols-1 gap-4 p-5" onSubmit={handleSubmit}>
      {children}
      <Failure of={error} />
      <Button type="submit" block busy={busy}>
        {submit}
      </Button>
    </form>
  )
}

/** The keyboard begins in the first field that is empty. */
function focusFirst(form: HTMLFormElement | null) {
  const fields = [...(form?.querySelectorAll<HTMLInputElement>('input') ?? [])]
  fields.find(({ value }) => value === '')?.focus()
}
