import { DoorClosed, DoorOpen, House, Lock, type LucideIcon, ShieldCheck, Users } from 'lucide-react'
import { type Doing, sayOf, wordOf } from '#kernel/action-words.ts'
import { type Action, groupOf } from '#kernel/actions.ts'
import { noteQuiet } from '../../lib/look/quiet.ts'
import { applyTheme } from '../../lib/look/theme.ts'
import { formatClock } from '../../lib/time/server-clock.ts'
import { responseStore } from '../../live/response.ts'
import type { Brief } from '../../reads/brief.data.ts'

type Actions = NonNullable<Brief['actions']>
type BuildingAction = Actions[number]

/** `action` is absent of no building of the list. */
const doingOf = ({ action = 'evacuate', action_before }: BuildingAction): Doing => ({ action, before: action_before })
const leave = { action: 'evacuate' } as const

/** Screens speak by it from now on. Undefined: everyone leaves. */
export function respond(actions: Actions | undefined, leaving: boolean): void {
  const isHidden = actions?.some((one) => one.own && isQuietAction(one)) === true
  noteQuiet(isHidden)
  applyTheme()
  if (!actions) {
    responseStore.set(null)
    return
  }
  const doing = new Map<string, Doing>(actions.map((one) => [one.building, doingOf(one)]))
  const [stays, leaves] = [sayOf([{ action: 'hold' }]), sayOf([])]
  responseStore.set({
    of: (group) => (group ? stays : leaves),
    in: (building) => sayOf([doing.get(building ?? '') ?? leave]),
    total: sayOf([...doing.values(), ...(leaving ? [leave] : [])]),
    isHidden,
    quiet: new Set(actions.filter(isQuietAction).map(({ building }) => building)),
  })
}

const isQuietAction = ({ action = 'evacuate', action_before }: BuildingAction) =>
  groupOf(action, action_before ?? null) === 'quiet'

const icons: Record<Action, LucideIcon> = {
  evacuate: DoorOpen,
  move: DoorOpen,
  shelter: House,
  hold: Users,
  secure: DoorClosed,
  lockdown: Lock,
  release: ShieldCheck,
}

/** 'Lockdown in Tower A since 14:12', a line for each action, place and time. */
export function ActionBar({ actions }: { actions: Actions }) {
  const lines = Map.groupBy(actions, ({ action, where, action_from }) => JSON.stringify([action, where, action_from]))
  return (
    <div role="status" className="border-t-2 border-link bg-surface text-ink">
      {[...lines].map(([key, [first, ...others]]) => first && <Line key={key} all={[first, ...others]} />)}
    </div>
  )
}

function Line({ all }: { all: [BuildingAction, ...BuildingAction[]] }) {
  const [{ action = 'evacuate', where, action_from }] = all
  const Icon = icons[action]
  const buildings = all.map(({ name }) => name).join(', ')
  return (
    <p className="column flex items-center gap-2 px-3 py-1 font-bold wide:max-w-none wide:px-6" data-action={action}>
      <Icon aria-hidden size={20} className="shrink-0 text-link" />
      <span className="min-w-0 wrap-anywhere">
        {`${wordOf(action)} in ${buildings} since ${formatClock(new Date(action_from ?? 0)).slice(0, 5)}`}
        {where && <span className="block font-normal">{where}</span>}
      </span>
    </p>
  )
}
