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

/** What happened to a sign-in, as its person is told, and as administrators see it in a list. `by`: who did it. */
export const signInChanges = {
  address: { told: () => 'Your sign-in address was changed', listed: 'Sign-in address changed' },
  reset_factor: { told: () => 'Your second factor was reset', listed: 'Second factor reset' },
  merge_stays: { told: () => 'Your sign-in was changed', listed: 'Sign-in changed by a merge' },
  merge_goes: { told: () => 'Your sign-in was changed', listed: 'Sign-in changed by a merge' },
  deactivate: { told: () => 'You can no longer sign in', listed: 'Can no longer sign in' },
  reactivate: { told: () => 'You can sign in again', listed: 'Can sign in again' },
  revoke: { told: () => 'You are no longer an administrator', listed: 'No longer an administrator' },
  show_invitation: { told: (by: string) => `Your invitation was shown to ${by}`, listed: 'Invitation shown' },
  plans_ended: { told: () => 'Your permission to see plans has ended', listed: 'Permission to see plans ended' },
} satisfies Partial<Record<Act | 'plans_ended', { told: (by: string) => string; listed: string }>>
export type SignInChange = keyof typeof signInChanges
export const isSignInChange = (act: Act): act is Act & SignInChange => act in signInChanges
/** For the other holders of the permission. */
export const othersPlansEnded = (name: string) => `${name}'s permission to see plans has ended`
/** Days for which changes are listed. */
export const listedDays = 14

/** Who did it, where no administrator did. */
export const operator = 'The operator'
export const didThis = (by: string, time: string) => `${by} did this at ${time}.`
export const ifUnexpected = (contact: string) => `If you did not expect it, call ${contact}.`
