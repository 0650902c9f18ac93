import { RotateCw } from 'lucide-react'
import { Button } from './button.tsx'

/** Shown in place of data after a failed read: a retry button without a message. */
export function TryAgain({ onPress, busy }: { onPress: () => void; busy: boolean }) {
  return (
    <Button variant="outline" icon={RotateCw} block busy={busy} onClick={onPress}>
      Try again
    </Button>
  )
}
