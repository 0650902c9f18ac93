import { Type } from 'typebox'

/** A random UUID, branded with its kind so that the compiler rejects another kind. */
type Uid<Name extends string> = string & { readonly uidOf: Name }
const uid = <Name extends string>() => Type.Unsafe<Uid<Name>>(Type.String({ format: 'uuid' }))

export type ClientUid = Uid<'client'>
export type SiteUid = Uid<'site'>
export type BuildingUid = Uid<'building'>
export type FloorUid = Uid<'floor'>
export type FloorStatusUid = Uid<'floor_status'>
export type PersonUid = Uid<'person'>
export type AssignmentUid = Uid<'warden_assignment'>
export type SignInUid = Uid<'warden_sign_in'>
export type WardenRoleUid = Uid<'warden_role'>
export type EventTypeUid = Uid<'event_type'>
export type EventUid = Uid<'event'>
export type EvacueeUid = Uid<'evacuee'>
export type FloorOfferUid = Uid<'floor_offer'>
export type AdministratorUid = Uid<'administrator'>
export type GroupUid = Uid<'people_group'>
/** A site, a building or a floor. */
export type PlaceUid = SiteUid | BuildingUid | FloorUid
export type WaitingUid = Uid<'waiting_change'>
export type UploadUid = Uid<'upload'>
export type CommandTurnUid = Uid<'command_turn'>
export type InstructionUid = Uid<'instruction'>
export type SelfReportUid = Uid<'self_report'>
export type ReachUid = Uid<'reach'>

export const ClientUid = uid<'client'>()
export const SiteUid = uid<'site'>()
export const BuildingUid = uid<'building'>()
export const FloorUid = uid<'floor'>()
export const FloorOfferUid = uid<'floor_offer'>()
export const FloorStatusUid = uid<'floor_status'>()
export const PersonUid = uid<'person'>()
export const AssignmentUid = uid<'warden_assignment'>()
export const SignInUid = uid<'warden_sign_in'>()
export const WardenRoleUid = uid<'warden_role'>()
export const EventTypeUid = uid<'event_type'>()
export const EventUid = uid<'event'>()
export const EvacueeUid = uid<'evacuee'>()
export const AdministratorUid = uid<'administrator'>()
export const GroupUid = uid<'people_group'>()
export const PlaceUid = Type.Unsafe<PlaceUid>(Type.String({ format: 'uuid' }))
export const WaitingUid = uid<'waiting_change'>()
export const UploadUid = uid<'upload'>()
export const CommandTurnUid = uid<'command_turn'>()
export const InstructionUid = uid<'instruction'>()
export const SelfReportUid = uid<'self_report'>()
export const ReachUid = uid<'reach'>()
