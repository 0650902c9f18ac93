import type { AssignmentUid, CommandTurnUid, InstructionUid, SignInUid } from '#kernel/ids.ts'
import type { Brief } from '#web/reads/brief.data.ts'
import { someSignIn } from '#web/testing/stored-auth.ts'
import type { CommandState } from './command.data.ts'

const uid = (n: number) => `00000000-0000-4000-8000-0000000cd${String(n).padStart(3, '0')}`
export const turnUid = uid(1) as CommandTurnUid
export const nextTurnUid = uid(2) as CommandTurnUid
export const instructionUid = uid(3) as InstructionUid
export const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

type Member = CommandState['chain'][number]
const member = (n: number, name: string, role: string, over: Partial<Member> = {}): Member => ({
  id: uid(n) as AssignmentUid,
  wardenSignInUid: uid(n + 1) as SignInUid,
  name,
  role,
  phone: '61491000001',
  ...over,
})
export const ann = member(10, 'Ann Brown', 'Chief Warden')
export const dee = member(20, 'Dee Diaz', 'Deputy Chief Warden')
export const me = member(30, 'Max Young', 'Building Warden', { wardenSignInUid: someSignIn })

/** Ann leads since ten minutes; the reader is third of the chain. */
export const state = (turn: Partial<CommandState['turn']> = {}): CommandState => ({
  turn: { turn: turnUid, in_command: ann, since: ago(10), silent_since: null, asked: null, ...turn },
  chain: [ann, dee, me],
  turns: [
    {
      uid: turnUid,
      name: ann.name,
      role: ann.role,
      began_at: ago(10),
      ended_at: null,
      how: 'start' as const,
      note: null,
      counts: null,
    },
  ],
})

type Command = NonNullable<Brief['command']>
export const brief = (command: Partial<Command> = {}, instruction: Brief['instruction'] = null): Brief => ({
  command: {
    at: new Date().toISOString(),
    turn: turnUid,
    silent_since: null,
    take: null,
    in_command: { wardenSignInUid: ann.wardenSignInUid, name: ann.name, role: ann.role },
    ...command,
  },
  instruction,
  offer: null,
  claims: [],
  gaps: null,
})
export const evacuate: NonNullable<Brief['instruction']> = {
  uid: instructionUid,
  kind: 'evacuate',
  by: 'Ann Brown',
  at: ago(1),
  message: 'Evacuate your floor now. Check every room. Report when it is clear.',
}
