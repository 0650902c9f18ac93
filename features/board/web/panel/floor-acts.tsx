import type { FloorUid } from '#kernel/ids.ts'
import { AskButton } from '#web/evacuees/ask/ask-button.tsx'
import { useAuth } from '#web/session/stored-auth.ts'
import { Link } from '#web/ui/link.tsx'
import type { BoardPanel } from '../../calls/board-panel.ts'
import { unknownCauses } from '../../kinds.ts'
import type { FloorPlace } from '../matrix/floors.ts'
import { MessageWardens } from './message-wardens.tsx'
import { useOpenFloor } from './panel.data.ts'

interface FloorActsProps {
  place: FloorPlace['id']
  /** False: a building's people on no floor, whom no one can be sent to look for. */
  isFloor: boolean
  /** People hide in its building: no one is sent there. */
  isQuiet: boolean
  panel: BoardPanel | undefined
}

const causes = [...unknownCauses]

/** What the reader has no module for is left out. */
export function FloorActs({ place, isFloor, isQuiet, panel }: FloorActsProps) {
  const open = useOpenFloor()
  const modules = useAuth()?.module_access
  return (
    <div className="bd-acts">
      {modules?.Module_Evacuee_Safety && panel && panel.calls.length > 0 && (
        <Link to="/event/people?tab=reports" className="bd-button">
          Answer
        </Link>
      )}
      {isFloor && modules?.Module_Floor_Evacuation && (
        <button
          type="button"
          className="bd-button"
          aria-busy={open.isPending || undefined}
          onClick={() => !open.isPending && open.mutate(place as FloorUid)}
        >
          Open floor
        </button>
      )}
      {modules?.Module_Warden_Messaging && panel && <MessageWardens wardens={panel.wardens} />}
      {panel && panel.people.unknown > 0 && <AskButton floors={[place]} causes={causes} />}
      {!isQuiet && panel?.gap_at && modules?.Module_Floor_Evacuation && (
        <Link to="/event/coverage" className="bd-button">
          Find a warden
        </Link>
      )}
      {isFloor && modules?.Module_Event_Management && (
        <Link to={`/event/instructions?floor=${place}`} className="bd-button">
          Instruct
        </Link>
      )}
      {modules?.Module_Evacuee_Safety && panel && panel.people.unknown + panel.people.danger > 0 && (
        <Link to={`/event/people?floor=${place}`} className="bd-button">
          Who
        </Link>
      )}
    </div>
  )
}
