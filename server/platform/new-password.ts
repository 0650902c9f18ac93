import type { NewPasswordProblem } from '#features/sign-in/calls/password-reset.ts'
import { newPasswordLength } from '#kernel/limits.ts'

/** Powers of ten. A password that needs fewer guesses is well known or a common pattern. */
const fewestGuesses = 8

const ownNames = ['Emergency Event Management', 'All Wardens', 'Evac']

export interface PasswordOwner {
  email: string
  usernames: readonly string[]
  people: readonly { firstName: string; lastName: string }[]
}

/** Why the password may not be used: too short, well known, or just a name. Null if it may. All characters are allowed. */
export async function newPasswordProblem(password: string, owner: PasswordOwner): Promise<NewPasswordProblem | null> {
  const length = [...password].length
  if (length < newPasswordLength.least) return 'too_short'
  if (length > newPasswordLength.most) return 'too_long'
  if (namesOf(owner).has(plain(password))) return 'own_name'
  return (await isWellKnown(password)) ? 'too_common' : null
}

/** Lower-case letters and digits only, because capitals and dots do not hide a name. */
const plain = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

function namesOf({ email, usernames, people }: PasswordOwner): Set<string> {
  const names = people.flatMap(({ firstName, lastName }) => [firstName + lastName, lastName + firstName])
  return new Set([...ownNames, email, email.split('@')[0] ?? '', ...usernames, ...names].map(plain))
}

/** Loaded on first use, because the list takes some megabytes and a tenth of a second. */
async function isWellKnown(password: string): Promise<boolean> {
  estimator ??= loadEstimator()
  return (await estimator).check(password).guessesLog10 < fewestGuesses
}

let estimator: ReturnType<typeof loadEstimator> | undefined
async function loadEstimator() {
  const { ZxcvbnFactory } = await import('@zxcvbn-ts/core')
  const { adjacencyGraphs, dictionary } = await import('@zxcvbn-ts/language-common')
  return new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs })
}
