import { LogOut } from 'lucide-react'
import { useSignOut } from '../../outbox/use-sign-out.tsx'
import { Button } from '../../ui/button.tsx'

export function GoOffDuty() {
  const { start, check } = useSignOut()
  return (
    <>
      <Button variant="red" icon={LogOut} block onClick={start}>
        Go Off Duty
      </Button>
      {check}
    </>
  )
}
