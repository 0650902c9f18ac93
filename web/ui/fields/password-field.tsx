import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { IconButton } from '../icon-button.tsx'
import { TextField } from './text-field.tsx'

/** A password field with a button that shows the text, to check what was typed with gloves on. */
export function PasswordField(props: ComponentProps<typeof TextField>) {
  const [shown, setShown] = useState(false)
  return (
    <div className="flex items-start gap-2">
      <TextField
        type={shown ? 'text' : 'password'}
        maxLength={1000}
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        className="flex-1"
        {...props}
      />
      <IconButton
        icon={shown ? EyeOff : Eye}
        label="Show characters"
        aria-pressed={shown}
        className="mt-7"
        onClick={() => setShown(!shown)}
      />
    </div>
  )
}
