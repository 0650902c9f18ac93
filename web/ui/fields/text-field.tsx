import { CircleAlert } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'

interface FieldProps {
  label: string
  onChange: (value: string) => void
  hint?: ReactNode
  /** Why the value is invalid. Shown with an icon and read out with the field. */
  error?: string | undefined
  /** Hides the label visually, for fields whose placeholder says the same. */
  hideLabel?: boolean
}
type TextFieldProps = FieldProps & Omit<ComponentProps<'input'>, keyof FieldProps>
type TextAreaProps = FieldProps & Omit<ComponentProps<'textarea'>, keyof FieldProps>

export function TextField({ label, onChange, hint, error, hideLabel, className, ...rest }: TextFieldProps) {
  return (
    <Labelled {...{ label, hint, error, hideLabel, className }}>
      {(aria) => (
        <input className="field font-normal" onChange={(event) => onChange(event.target.value)} {...aria} {...rest} />
      )}
    </Labelled>
  )
}

export function TextArea({ label, onChange, hint, error, hideLabel, className, ...rest }: TextAreaProps) {
  return (
    <Labelled {...{ label, hint, error, hideLabel, className }}>
      {(aria) => (
        <textarea
          rows={3}
          className="field font-normal"
          onChange={(event) => onChange(event.target.value)}
          {...aria}
          {...rest}
        />
      )}
    </Labelled>
  )
}

interface LabelledProps extends Pick<FieldProps, 'label' | 'hint' | 'error' | 'hideLabel'> {
  className?: string | undefined
  children: (aria: {
    id: string
    'aria-describedby': string | undefined
    'aria-invalid': true | undefined
  }) => ReactNode
}

function Labelled({ label, hint, error, hideLabel, className = '', children }: LabelledProps) {
  const id = useId()
  const noteId = `${id}-note`
  const note = error ?? hint
  return (
    <div className={`min-w-0 ${className}`}>
      <label htmlFor={id} className={hideLabel ? 'sr-only' : 'mb-1 block font-semibold'}>
        {label}
      </label>
      {children({ id, 'aria-describedby': note ? noteId : undefined, 'aria-invalid': error ? true : undefined })}
      {note && (
        <p id={noteId} className={`mt-1 flex items-start gap-1.5 text-sm ${error ? 'text-danger-ink' : 'text-muted'}`}>
          {error && <CircleAlert aria-hidden size={18} className="mt-px shrink-0" />}
          {note}
        </p>
      )}
    </div>
  )
}
