import type { BoardPanel } from '@evac/contract/calls/board.ts'
import type { FloorUid } from '@evac/contract/ids.ts'
import { useAuth } from '../../../session/stored-auth.ts'
import { MessageWardens } from './message-wardens.tsx'
import { useOpenFloor } from './panel.data.ts'

interface FloorActsProps {
  floor: FloorUid
  panel: BoardPanel | undefined
}

/** BOARD-15: what the reader has no module for is left out. */
export function FloorActs({ floor, panel }: FloorActsProps) {
  const open = useOpenFloor()
  const modules = useAuth()?.module_access
  return (
    <div className="bd-acts">
      {modules?.Module_Floor_Evacuation && (
        <button
          type="button"
          className="bd-button"
          aria-busy={open.isPending || undefined}
          onClick={() => !open.isPending && open.mutate(floor)}
        >
          Open floor
        </button>
      )}
      {modules?.Module_Warden_Messaging && panel && <MessageWardens wardens={panel.wardens} />}
    </div>
  )
}
