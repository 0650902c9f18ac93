import { ArrowLeft } from 'lucide-react'
import { TopBar } from '#web/live/top-bar.tsx'
import { navigate } from '#web/pages/navigate.ts'
import { IconButton } from '#web/ui/icon-button.tsx'

/** These pages draw their own bar. Its arrow is not named 'Back', which a button of the page is. */
export function OwnBar({ title }: { title: string }) {
  return (
    <TopBar
      title={title}
      left={<IconButton icon={ArrowLeft} label="Report In List" plain onClick={() => navigate('/reportinlist')} />}
    />
  )
}
