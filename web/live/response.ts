import type { Occupant } from '#features/evacuation/calls/evacuation.ts'
import { isQuiet } from '../lib/look/quiet.ts'
import { createStore, useStore } from '../lib/store.ts'

export type Group = NonNullable<Occupant['group']>
/** A text of an event in which people leave, in the words of what they do now. */
export type Say = (text: string) => string

/** How the screens speak while someone does something else than leave. Its words come in a file of their own. */
export interface Response {
  of: (group: Group | undefined) => Say
  /** Of a building. */
  in: (building: string | null) => Say
  /** Of people or floors of the whole event. */
  total: Say
  /** This phone is where people hide. */
  isHidden: boolean
  /** The buildings where no phone may be heard. */
  quiet: ReadonlySet<string>
}

/** Null: everyone leaves. */
export const responseStore = createStore<Response | null>(null)

const asIs: Say = (text) => text

export const sayNow = (group: Group | undefined): Say => responseStore.get()?.of(group) ?? asIs
/** Where no component asks: an alarm. */
export const sayTotalNow: Say = (text) => (responseStore.get()?.total ?? asIs)(text)
export const useSayOf = () => useStore(responseStore)?.of ?? sayNow
export const useSayIn = (building: string | null): Say => useStore(responseStore)?.in(building) ?? asIs
/** This phone is where people hide: no sound, no vibration, and the screen may go dark. */
export const useIsHidden = () => useStore(responseStore)?.isHidden ?? isQuiet()
export const useSayTotal = (): Say => useStore(responseStore)?.total ?? asIs
