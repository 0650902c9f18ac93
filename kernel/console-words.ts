/** Sentences of refusals that only administrators meet. Apart, because no warden's phone needs them. */
export const consoleRefusals = {
  wrong_code: 'That code is not correct.',
  not_an_administrator: 'This account is not an administrator.',
  confirm_identity: 'Confirm that it is you.',
  beyond_reach: 'This person also has a role outside your reach. Ask an administrator of the whole organisation.',
  // the page goes there, and shows no sentence
  elsewhere: 'You sign in at another address.',
  use_link: 'Open the link in your invitation to set up your second factor.',
  already_set_up: 'This installation is set up. Sign in instead.',
  last_administrator: 'At least one administrator must remain. Appoint another one first.',
  taken: 'This is already in use.',
  in_event: 'An event is running. This can be changed when it has ended.',
  in_use: 'This is still in use.',
  changed_since: 'Someone else changed this.',
  busy: 'Another change is being saved. Try again.',
} as const
