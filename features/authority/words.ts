import type { Act } from './table.ts'

/** Why an act is not for an administrator of a part. */
export const onlyWhole = 'Only an administrator of the whole organisation can do this.'
export const onlyAnother = 'Only another administrator can do this.'
export const beyondReach = (name: string) =>
  `${name} also has a role outside your reach. Ask an administrator of the whole organisation.`
export const revokeFirst = (name: string) => `Revoke ${name}'s administrator access first.`
export const nothingToSignInFor = 'No assignment and not an administrator: nothing to invite this person to.'
export const noGrant = 'This person is not an administrator.'
export const onlyHolders = 'Only someone who may see plans can allow others to.'
export const sentByMail = "An administrator's invitation is sent by email."
export const asksForCode = 'This needs a code from your authenticator: do it on the page of the person.'
export const noHolder = 'No one has permission to see plans. Ask the operator.'
export const endsPlans = (name: string) => `This ends ${name}'s permission to see plans.`

/** Subjects of the mails that tell a person what was done. `by`: who did it. */
export const toldWords: Partial<Record<Act, (by: string) => string>> = {
  address: () => 'Your sign-in address was changed',
  reset_factor: () => 'Your second factor was reset',
  merge_stays: () => 'Your sign-in was changed',
  merge_goes: () => 'Your sign-in was changed',
  deactivate: () => 'You can no longer sign in',
  reactivate: () => 'You can sign in again',
  revoke: () => 'You are no longer an administrator',
  show_invitation: (by) => `Your invitation was shown to ${by}`,
}
export const plansEnded = 'Your permission to see plans has ended'
