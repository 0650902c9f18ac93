import type { getProfile } from '#features/sign-in/calls/sign-in.ts'
import type { ClientUid } from '#kernel/ids.ts'
import type { CallReply } from '#kernel/route.ts'

/** What the server answers about the person who has signed in. */
export const profileReply = (overrides: Partial<CallReply<typeof getProfile>> = {}): CallReply<typeof getProfile> => ({
  Firstname: 'Grace',
  Lastname: 'Okafor',
  Email: 'chief@harbour.test',
  Mobile: '61491000001',
  Is_Client_Master: false,
  Client_UID: '00000000-0000-4000-8000-00000000a006' as ClientUid,
  Primary_Location_Floor_UID: null,
  ...overrides,
})
