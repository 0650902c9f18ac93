import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'

interface SideDrawerProps {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
}

/** A panel from the left edge over the whole height. */
export function SideDrawer(props: SideDrawerProps) {
  return <Dialog kind="side" {...props} />
}
