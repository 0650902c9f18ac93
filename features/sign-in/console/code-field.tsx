import { TextField } from '#web/ui/fields/text-field.tsx'

interface CodeFieldProps {
  value: string
  onChange: (code: string) => void
  /** A recovery code has letters. */
  isRecovery?: boolean
  error?: string | undefined
}

/** The six digits of an authenticator, which phones and password managers fill in, or a recovery code. */
export function CodeField({ value, onChange, isRecovery = false, error }: CodeFieldProps) {
  return (
    <TextField
      label={isRecovery ? 'Recovery code' : 'Code'}
      name="code"
      value={value}
      onChange={onChange}
      error={error}
      maxLength={40}
      inputMode={isRecovery ? 'text' : 'numeric'}
      autoComplete={isRecovery ? 'off' : 'one-time-code'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      data-autofocus
      className="console-code"
    />
  )
}
