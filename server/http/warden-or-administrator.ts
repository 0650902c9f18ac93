import { type Administrator, journalAdministrator } from '../administrators/administrator.ts'
import { type Actor, journalActor } from '../wardens/actor.ts'

/** Who makes a call that wardens and administrators share. */
export type Reader = Actor | Administrator

export const isAdministrator = (reader: Reader): reader is Administrator => 'administratorUid' in reader

/** The reader as the journal stores them. */
export const journalReader = (reader: Reader) =>
  isAdministrator(reader) ? journalAdministrator(reader) : journalActor(reader)
