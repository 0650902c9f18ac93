import type { InstructionKind } from '@evac/contract/command/command.ts'
import { Backpack, CircleCheckBig, DoorClosed, DoorOpen, type LucideIcon, RotateCcw, Search } from 'lucide-react'

/** CMD-20: the icon of each kind. */
export const instructionIcon: Record<InstructionKind, LucideIcon> = {
  evacuate: DoorOpen,
  stay: DoorClosed,
  prepare: Backpack,
  all_clear: CircleCheckBig,
  re_entry: RotateCcw,
  recheck: Search,
}
