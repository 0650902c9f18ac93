import type { ColumnType } from 'kysely'
import type * as ids from '#kernel/ids.ts'
import type { DB } from './tables.ts'

/** What the `uid` of each table names. */
interface OwnUid {
  client: ids.ClientUid
  site: ids.SiteUid
  building: ids.BuildingUid
  floor: ids.FloorUid
  floorStatus: ids.FloorStatusUid
  person: ids.PersonUid
  wardenAssignment: ids.AssignmentUid
  wardenSignIn: ids.SignInUid
  wardenRole: ids.WardenRoleUid
  eventType: ids.EventTypeUid
  event: ids.EventUid
  evacuee: ids.EvacueeUid
  administrator: ids.AdministratorUid
  peopleGroup: ids.GroupUid
  upload: ids.UploadUid
  commandTurn: ids.CommandTurnUid
  instruction: ids.InstructionUid
  floorOffer: ids.FloorOfferUid
  selfReport: ids.SelfReportUid
}

/** What a column that ends so refers to, in any table. */
interface ReferredUid {
  clientUid: ids.ClientUid
  siteUid: ids.SiteUid
  buildingUid: ids.BuildingUid
  floorUid: ids.FloorUid
  floorStatusUid: ids.FloorStatusUid
  personUid: ids.PersonUid
  assignmentUid: ids.AssignmentUid
  signInUid: ids.SignInUid
  roleUid: ids.WardenRoleUid
  eventTypeUid: ids.EventTypeUid
  eventUid: ids.EventUid
  evacueeUid: ids.EvacueeUid
  groupUid: ids.GroupUid
  administratorUid: ids.AdministratorUid
  uploadUid: ids.UploadUid
  instructionUid: ids.InstructionUid
}

type ReferredBy<Column> = {
  [Ending in keyof ReferredUid]: Column extends Ending | `${string}${Capitalize<Ending>}` ? ReferredUid[Ending] : never
}[keyof ReferredUid]

type UidOf<Table, Column> = Column extends 'uid'
  ? Table extends keyof OwnUid
    ? OwnUid[Table]
    : never
  : Column extends `${infer One}s`
    ? ReferredBy<One>[]
    : ReferredBy<Column>

/** The column as it is, but what is read from it is the uid; a foreign key checks what is written. */
type Read<Column, Uid> =
  Column extends ColumnType<infer S, infer I, infer U>
    ? ColumnType<Uid | Extract<S, null>, I, U>
    : ColumnType<Uid | Extract<Column, null>, Column, Column>

/** The generated tables, with the ids of the contract for those that they hold. */
export type Tables = {
  [Table in keyof DB]: {
    [Column in keyof DB[Table]]: [UidOf<Table, Column>] extends [never] | [never[]]
      ? DB[Table][Column]
      : Read<DB[Table][Column], UidOf<Table, Column>>
  }
}
