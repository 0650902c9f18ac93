import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../button.tsx'
import { toast } from '../toast.tsx'
import { TextField } from './text-field.tsx'

/** A link that is shown this once, and copied. Between both stands what else opens it. */
export function CopyLink({ link, children }: { link: string; children?: ReactNode }) {
  const copy = () =>
    navigator.clipboard.writeText(link).then(
      () => toast('The link has been copied.', { variant: 'success' }),
      () => toast('The link could not be copied.', { variant: 'danger' }),
    )
  return (
    <>
      <TextField label="Link" value={link} readOnly onChange={() => undefined} />
      {children}
      <Button variant="outline" icon={Copy} onClick={() => void copy()}>
        Copy the link
      </Button>
    </>
  )
}
