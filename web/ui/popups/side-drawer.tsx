import type { ReactNode } from 'react'
import { Dialog } from './dialog.tsx'

interface SideDrawerProps {
  open: boolean
  onClose: () => void
  title: string
  children: ReactNode
}

/** A full-height panel at the left edge. */
export function SideDrawer(props: SideDrawerProps) {
  return <Dialog kind="side" {...props} />
}
