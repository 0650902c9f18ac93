import { Backpack, CircleCheckBig, DoorClosed, DoorOpen, type LucideIcon, RotateCcw, Search } from 'lucide-react'
import type { InstructionKind } from '../../kinds.ts'

export const instructionIcon: Record<InstructionKind, LucideIcon> = {
  evacuate: DoorOpen,
  stay: DoorClosed,
  prepare: Backpack,
  all_clear: CircleCheckBig,
  re_entry: RotateCcw,
  recheck: Search,
  move: DoorOpen,
  shelter: DoorClosed,
  hold: DoorClosed,
  secure: DoorClosed,
  lockdown: DoorClosed,
  release: CircleCheckBig,
}
