import { RotateCw } from 'lucide-react'
import { Button } from './button.tsx'

/** Stands where data would, after a read has failed: a way on without a message (ERR-06). */
export function TryAgain({ onPress, busy }: { onPress: () => void; busy: boolean }) {
  return (
    <Button variant="outline" icon={RotateCw} block busy={busy} onClick={onPress}>
      Try again
    </Button>
  )
}
