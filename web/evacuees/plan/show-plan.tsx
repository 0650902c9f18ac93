import { Accessibility } from 'lucide-react'
import { Button } from '../../ui/button.tsx'

/** The mark alone, with the way to the text. */
export const ShowPlan = ({ name, onPress }: { name: string; onPress: () => void }) => (
  <Button
    variant="outline"
    icon={Accessibility}
    aria-haspopup="dialog"
    aria-label={`Show plan: ${name}`}
    onClick={onPress}
  >
    Show plan
  </Button>
)
